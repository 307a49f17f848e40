/*
 * Limits that are used to 80 % or more, over all organisations. Each limit is counted with one query for all of them.
 * operator.limits counts for one organisation, as the limits themselves do; a test compares both.
 */
create view operator.reached_limits as
with used as (
  select key.organisation_id, 'liveKeys' as name, count(*) as used
  from app.api_keys key
  where key.revoked_at is null and key.expires_at > now()
  group by key.organisation_id
  union all
  select endpoint.organisation_id, 'liveWebhooks', count(*)
  from app.webhook_endpoints endpoint
  where endpoint.deleted_at is null
  group by endpoint.organisation_id
  union all
  select open.organisation_id, 'openInvitations', count(*)
  from app.invitations open
  where open.accepted_at is null and open.revoked_at is null and open.expires_at > now()
  group by open.organisation_id
  union all
  select mail.organisation_id, 'invitationsPerHour', count(*)
  from app.mails mail
  where mail.id >= (select times.least_id(now() - interval '1 hour')) and mail.kind = 'invitation'
  group by mail.organisation_id
  union all
  select address.organisation_id, 'invitationsPerAddressPerDay', max(address.mails)
  from (
    select mail.organisation_id, count(*) as mails
    from app.mails mail
    where mail.id >= (select times.least_id(now() - interval '1 day')) and mail.kind = 'invitation'
    group by mail.organisation_id, mail.recipient_key
  ) address
  group by address.organisation_id
  union all
  select seat.organisation_id, 'seats', count(*)
  from (
    select member.organisation_id from app.memberships member
    union all
    select open.organisation_id
    from app.invitations open
    where open.accepted_at is null and open.revoked_at is null and open.expires_at > now()
  ) seat
  group by seat.organisation_id
  union all
  select run.organisation_id,
    case triggers.kind_of_start(run.trigger)
      when 'routine' then 'routineStartsPerHour'
      when 'webhook' then 'webhookStartsPerHour'
      else 'runStartsPerHour'
    end as kind,
    count(*)
  from app.runs run
  where run.id > (select times.least_id(now() - interval '1 hour')) -- once, and not for every run
  group by run.organisation_id, kind
  union all
  select routine.organisation_id, 'liveRoutines', count(*)
  from app.routines routine
  where routine.deleted_at is null
  group by routine.organisation_id
  union all
  select hook.organisation_id, 'liveHooks', count(*)
  from app.hooks hook
  where hook.deleted_at is null
  group by hook.organisation_id
  union all
  select usage.organisation_id, 'monthlySpendMicroCents', usage.spend_micro_cents
  from app.monthly_usage usage
  where usage.month = triggers.this_month()
)
select used.organisation_id, used.name, allowed.maximum, used.used, rows.share(used.used, allowed.maximum) as share
from used
join app.organisations organisation on organisation.id = used.organisation_id
cross join lateral (
  select case used.name
    when 'liveKeys' then organisation.live_key_limit
    when 'liveWebhooks' then organisation.live_endpoint_limit
    when 'openInvitations' then organisation.open_invitation_limit
    when 'invitationsPerHour' then coalesce(organisation.hourly_invitation_limit, organisation.seat_limit)
    when 'invitationsPerAddressPerDay' then organisation.daily_address_limit
    when 'seats' then organisation.seat_limit
    when 'runStartsPerHour' then organisation.hourly_run_limit
    when 'routineStartsPerHour' then organisation.hourly_routine_limit
    when 'webhookStartsPerHour' then organisation.hourly_webhook_limit
    when 'liveRoutines' then organisation.routine_limit
    when 'liveHooks' then organisation.hook_limit
    when 'monthlySpendMicroCents' then organisation.monthly_spend_limit_micro_cents
  end as maximum
) allowed
where used.used >= 0.8 * allowed.maximum;
comment on view operator.reached_limits is $$
@primaryKey organisation_id,name
@behavior +query:resource:connection
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName reachedLimits|@backwardBehavior -*
A limit of an organisation that is used to 80 % or more.$$;
grant select on operator.reached_limits to operator;
