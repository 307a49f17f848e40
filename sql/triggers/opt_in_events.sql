/*
 * Events that are written only while an endpoint of the organisation subscribes to their kind, whether the endpoint is
 * active, paused or disabled. Without one, a write costs one look at the index of endpoints. Each trigger names the kind,
 * then each field of `data` and its column.
 * (docs/specification/events.md#opt-in, docs/decisions/0024-deliveries.md)
 */
create function triggers.is_subscribed(organisation uuid, kind app.event_kind) returns boolean
language sql stable
as $$
  select exists (
    select
    from app.webhook_endpoints endpoint
    where endpoint.organisation_id = organisation and endpoint.deleted_at is null and kind = any (endpoint.events)
  )
$$;
comment on function triggers.is_subscribed is 'Whether an endpoint that is not deleted subscribes to the kind. For definer functions.';

create function triggers.tg_announce() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  organisation constant uuid := coalesce(new.organisation_id, old.organisation_id);
  subject jsonb;
begin
  if tg_op = 'DELETE' and triggers.is_deletion_step(organisation) then
    return null;
  end if;
  -- As triggers.is_subscribed. A call of it would cost more than the query.
  if exists (
    select
    from app.webhook_endpoints endpoint
    where endpoint.organisation_id = organisation and endpoint.deleted_at is null
      and tg_argv[0]::app.event_kind = any (endpoint.events)
  ) then
    subject := to_jsonb(coalesce(new, old));
    insert into app.events (organisation_id, kind, data)
    select organisation, tg_argv[0]::app.event_kind,
      json_object_agg(tg_argv[place], subject -> tg_argv[place + 1] order by place)
    from generate_series(1, tg_nargs - 1, 2) place;
  end if;
  return null;
end
$$;
comment on function triggers.tg_announce is 'Instead of row-level security: inserts with new.organisation_id or old.organisation_id. Writes the event named by the first argument, if an endpoint subscribes to it.';

create trigger _600_announce_started after update on app.runs
  for each row when (old.state = 'queued' and new.state = 'running' and old.working = '0')
  execute function triggers.tg_announce(
    'run.started', 'runId', 'id', 'botId', 'bot_id', 'conversationId', 'conversation_id', 'routineId', 'routine_id',
    'state', 'state', 'trigger', 'trigger', 'taint', 'taint'
  );

create trigger _600_announce_blocked after update on app.runs
  for each row when (old.state <> new.state and new.state = 'blocked')
  execute function triggers.tg_announce(
    'run.blocked', 'runId', 'id', 'botId', 'bot_id', 'conversationId', 'conversation_id', 'routineId', 'routine_id',
    'state', 'state', 'trigger', 'trigger', 'steps', 'steps', 'spendMicroCents', 'spend_micro_cents', 'taint', 'taint'
  );

create trigger _600_announce_disabled after update on app.webhook_endpoints
  for each row when (old.state <> 'disabled' and new.state = 'disabled' and new.deleted_at is null)
  execute function triggers.tg_announce('endpoint.disabled', 'webhookId', 'id', 'reason', 'disabled_reason');

create trigger _600_announce_disabled after update on app.audit_streams
  for each row when (old.state <> 'disabled' and new.state = 'disabled')
  execute function triggers.tg_announce('audit_stream.disabled', 'streamId', 'id', 'reason', 'disabled_reason');

create trigger _600_announce_added after insert on app.memberships
  for each row execute function triggers.tg_announce('member.added', 'userId', 'person_id', 'role', 'role');

create trigger _600_announce_removed after delete on app.memberships
  for each row execute function triggers.tg_announce('member.removed', 'userId', 'person_id', 'role', 'role');

create trigger _600_announce_role_changed after update on app.memberships
  for each row when (old.role <> new.role)
  execute function triggers.tg_announce('member.role_changed', 'userId', 'person_id', 'role', 'role');

create trigger _600_announce_accepted after update on app.invitations
  for each row when (old.accepted_at is null and new.accepted_at is not null)
  execute function triggers.tg_announce(
    'invitation.accepted', 'invitationId', 'id', 'userId', 'accepted_by', 'role', 'role'
  );

create trigger _600_announce_created after insert on app.api_keys
  for each row execute function triggers.tg_announce('key.created', 'keyId', 'id', 'scope', 'scope', 'userId', 'created_by');

create trigger _600_announce_revoked after update on app.api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function triggers.tg_announce('key.revoked', 'keyId', 'id', 'scope', 'scope', 'userId', 'created_by');

create trigger _600_announce_created after insert on app.memories
  for each row execute function triggers.tg_announce('memory.created', 'memoryId', 'id', 'botId', 'bot_id', 'supersedes', 'supersedes');

-- The history has one row for each change that is one, and none for a rebuilt search vector.
create trigger _600_announce_updated after insert on app.memory_history
  for each row when (new.change = 'updated')
  execute function triggers.tg_announce('memory.updated', 'memoryId', 'memory_id', 'botId', 'bot_id');

create trigger _600_announce_deleted after insert on app.memory_history
  for each row when (new.change = 'deleted')
  execute function triggers.tg_announce('memory.deleted', 'memoryId', 'memory_id', 'botId', 'bot_id');

-- Not triggers.tg_announce: the organisation is the row itself, and the cancellation names the time that the row had before.
create function triggers.tg_organisations__announce_deletion() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  kind constant app.event_kind := case when new.deletion_at is null then 'organisation.deletion_cancelled' else 'organisation.deletion_scheduled' end;
begin
  if triggers.is_subscribed(new.id, kind) then
    insert into app.events (organisation_id, kind, data)
    values (new.id, kind, json_build_object('deletionAt', rows.time(coalesce(new.deletion_at, old.deletion_at))));
  end if;
  return null;
end
$$;
comment on function triggers.tg_organisations__announce_deletion is 'Instead of row-level security: inserts with new.id. Writes the event that a deletion is scheduled or cancelled, if an endpoint subscribes to it.';

create trigger _600_announce_deletion after update on app.organisations
  for each row when (old.deletion_at is distinct from new.deletion_at)
  execute function triggers.tg_organisations__announce_deletion();
