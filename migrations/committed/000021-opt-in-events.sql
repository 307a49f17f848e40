--! Previous: sha1:1ec2fa11c8e1c1cbd8148143f829fc993df336c6
--! Hash: sha1:af0fa9fa9c48e0556de11149470cce9a92693d24
--! Message: opt-in-events

-- Event kinds that an endpoint receives only if it names them, filters of endpoints, and order per run.

alter type app.event_kind add value 'run.started';
alter type app.event_kind add value 'run.blocked';
alter type app.event_kind add value 'endpoint.disabled';
alter type app.event_kind add value 'member.added';
alter type app.event_kind add value 'member.removed';
alter type app.event_kind add value 'member.role_changed';
alter type app.event_kind add value 'invitation.accepted';
alter type app.event_kind add value 'key.created';
alter type app.event_kind add value 'key.revoked';
alter type app.event_kind add value 'memory.created';
alter type app.event_kind add value 'memory.updated';
alter type app.event_kind add value 'memory.deleted';
alter type app.event_kind add value 'organisation.limit_reached';

alter table app.webhook_endpoints
  add column bot_ids uuid[] check (cardinality(bot_ids) >= 1 and cardinality(bot_ids) <= 100 and array_position(bot_ids, null) is null),
  add column run_states app.run_state[]
    check (cardinality(run_states) > 0 and array_position(run_states, null) is null),
  add column order_per_run boolean not null default false;
comment on column app.webhook_endpoints.bot_ids is
  'Events of other bots are not delivered. Null: events of all bots are.';
comment on column app.webhook_endpoints.run_states is
  'Events of runs in other states are not delivered. Null: events of runs in all states are.';
comment on column app.webhook_endpoints.order_per_run is
  'Whether a delivery waits for earlier deliveries of its run.';

alter table app.deliveries add column ordered_run_id uuid;
create index deliveries_in_order on app.deliveries (organisation_id, endpoint_id, ordered_run_id, event_id)
  where state = 'pending' and ordered_run_id is not null;
comment on column app.deliveries.ordered_run_id is
  'The run whose earlier deliveries this one waits for. Null: it waits for none.';
