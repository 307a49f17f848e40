/*
 * Limits of an organisation and their use, counted by the functions that enforce the limits. Names are those of GET
 * /me.
 */
create view operator.limits as
select organisation.id as organisation_id, allowed.name, allowed.maximum, allowed.used, rows.share(allowed.used, allowed.maximum) as share
from app.organisations organisation
cross join lateral (
  values
    ('liveKeys', organisation.live_key_limit::bigint, triggers.live_keys(organisation.id)::bigint),
    ('liveWebhooks', organisation.live_endpoint_limit, triggers.live_endpoints(organisation.id)),
    ('openInvitations', organisation.open_invitation_limit, triggers.open_invitations(organisation.id)),
    (
      'invitationsPerHour', coalesce(organisation.hourly_invitation_limit, organisation.seat_limit),
      triggers.invitations_mailed(organisation.id)
    ),
    ('invitationsPerAddressPerDay', organisation.daily_address_limit, triggers.invitations_to_one_address(organisation.id)),
    ('seats', organisation.seat_limit, triggers.members(organisation.id) + triggers.open_invitations(organisation.id)),
    ('runStartsPerHour', organisation.hourly_run_limit, triggers.run_starts(organisation.id, 'script')),
    ('routineStartsPerHour', organisation.hourly_routine_limit, triggers.run_starts(organisation.id, 'routine')),
    ('webhookStartsPerHour', organisation.hourly_webhook_limit, triggers.run_starts(organisation.id, 'webhook')),
    ('liveRoutines', organisation.routine_limit, triggers.live_routines(organisation.id)),
    ('liveHooks', organisation.hook_limit, triggers.live_hooks(organisation.id)),
    ('monthlySpendMicroCents', organisation.monthly_spend_limit_micro_cents, triggers.spent_this_month(organisation.id))
) as allowed (name, maximum, used);
comment on view operator.limits is $$
@primaryKey organisation_id,name
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName limits
The maximum (null: no limit), the use, and the share that is used.$$;
grant select on operator.limits to operator;

create view operator.monthly_usage as
select organisation_id, month, spend_micro_cents
from app.monthly_usage;
comment on view operator.monthly_usage is $$
@primaryKey organisation_id,month
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName monthlyUsage
What runs spent in a calendar month (UTC).$$;
grant select on operator.monthly_usage to operator;
