/*
 * What an organisation may hold, and how much of it is used: by the counts that the ceilings themselves are held by.
 * Names are those of GET /me.
 */
create view operator.limits as
select organisation.id as organisation_id, held.name, held.ceiling, held.used, rows.share(held.used, held.ceiling) as share
from app.organisations organisation
cross join lateral (
  values
    ('liveKeys', organisation.live_key_ceiling::bigint, triggers.live_keys(organisation.id)::bigint),
    ('liveWebhooks', organisation.live_endpoint_ceiling, triggers.live_endpoints(organisation.id)),
    ('openInvitations', organisation.open_invitation_ceiling, triggers.open_invitations(organisation.id)),
    ('seats', organisation.seat_ceiling, triggers.members(organisation.id) + triggers.open_invitations(organisation.id)),
    ('runStartsPerHour', organisation.hourly_run_ceiling, triggers.run_starts(organisation.id, 'script')),
    ('routineStartsPerHour', organisation.hourly_routine_ceiling, triggers.run_starts(organisation.id, 'routine')),
    ('webhookStartsPerHour', organisation.hourly_webhook_ceiling, triggers.run_starts(organisation.id, 'webhook')),
    ('liveRoutines', organisation.routine_ceiling, triggers.live_routines(organisation.id)),
    ('liveHooks', organisation.hook_ceiling, triggers.live_hooks(organisation.id)),
    ('monthlySpendMicroCents', organisation.monthly_spend_limit_micro_cents, triggers.spent_this_month(organisation.id))
) as held (name, ceiling, used);
comment on view operator.limits is $$
@primaryKey organisation_id,name
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName limits
A ceiling, null for none; what is used of it, and which share that is.$$;

create view operator.monthly_usage as
select organisation_id, month, spend_micro_cents
from app.monthly_usage;
comment on view operator.monthly_usage is $$
@primaryKey organisation_id,month
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName monthlyUsage
What runs spent in a calendar month (UTC).$$;
