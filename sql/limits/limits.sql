/*
 * The limits of an organisation: a row for each, in the order of GET /me, what it counts, and the trigger that enforces
 * it. Enforced elsewhere: spending, by runner.step. (docs/recipes.md#add-a-limit)
 *
 * - maximum: the default; null for none, or for the default of another limit, default_from.
 * - reason: of the refusal, a word of src/contract/reasons.ts.
 */
merge into app.limits as stored
using (
  values
    ('liveKeys', 1, 20, null, 'count', 'Live keys', 'keys neither revoked nor expired', 'limit_keys'),
    ('liveWebhooks', 2, 10, null, 'count', 'Live endpoints', 'endpoints that are not deleted', 'limit_webhooks'),
    ('openInvitations', 3, 50, null, 'count', 'Open invitations', 'open invitations', 'limit_open_invitations'),
    (
      'invitationsPerHour', 4, null, 'seats', 'count', 'Invitations per hour',
      'invitation mails in a rolling hour, resent ones included', 'limit_invitations_per_hour'
    ),
    (
      'invitationsPerAddressPerDay', 5, 5, null, 'count', 'Invitations to one address per day',
      'invitation mails to one address in a rolling day', 'limit_invitations_to_address'
    ),
    ('seats', 6, 200, null, 'count', 'Seats', 'members plus open invitations', 'limit_seats'),
    (
      'runStartsPerHour', 7, 120, null, 'count', 'Runs per hour, by scripts',
      'runs started by people and scripts in a rolling hour', 'limit_run_starts'
    ),
    (
      'routineStartsPerHour', 8, 120, null, 'count', 'Runs per hour, by routines',
      'runs started by routines in a rolling hour', 'limit_routine_starts'
    ),
    (
      'webhookStartsPerHour', 9, 120, null, 'count', 'Runs per hour, by webhooks',
      'runs started by hooks in a rolling hour', 'limit_webhook_starts'
    ),
    ('liveRoutines', 10, 50, null, 'count', 'Routines', 'routines that are not deleted', 'limit_routines'),
    ('liveHooks', 11, 10, null, 'count', 'Inbound webhooks', 'hooks that are not deleted', 'limit_hooks'),
    (
      'monthlySpendMicroCents', 12, null, null, 'micro-cents', 'Spending per month',
      'spending of the calendar month (UTC)', null
    )
) as defined (name, "position", maximum, default_from, unit, label, description, reason)
on stored.name = defined.name
when not matched then
  insert values (name, "position", maximum, default_from, unit, label, description, reason)
when matched and to_jsonb(stored) <> to_jsonb(defined) then
  update set
    "position" = defined.position, maximum = defined.maximum, default_from = defined.default_from, unit = defined.unit,
    label = defined.label, description = defined.description, reason = defined.reason
when not matched by source then
  delete;

-- Months are calendar months in UTC.
create function limits.this_month() returns date
language sql stable
as $$ select date_trunc('month', now() at time zone 'UTC')::date $$;
grant execute on function limits.this_month to operator;

create function limits.next_month() returns timestamptz
language sql stable
as $$ select (limits.this_month() + interval '1 month') at time zone 'UTC' $$;
comment on function limits.next_month is 'The start of the next month, when spending counts from 0.';

/*
 * The rows that each limit counts: an amount, and for a limit per part of the organisation its part. The name is a constant of
 * each query, and nothing is grouped: so a query for one limit and one organisation reads only the rows that it counts.
 *
 * - Seats do not limit mails: revoking an invitation frees its seat, and sending it again takes none. A mail that a
 *   worker has leased counts, sent or not.
 * - Starts are not counted row by row (starts.sql).
 */
create view limits.counted (organisation_id, name, part, amount) as
select key.organisation_id, 'liveKeys', null::text, 1::bigint from app.api_keys key
where key.revoked_at is null and key.expires_at > now()
union all
select endpoint.organisation_id, 'liveWebhooks', null, 1::bigint from app.webhook_endpoints endpoint
where endpoint.deleted_at is null
union all
select invitation.organisation_id, 'openInvitations', null, 1::bigint from app.invitations invitation
where invitation.accepted_at is null and invitation.revoked_at is null and invitation.expires_at > now()
union all
select invitation.organisation_id, 'seats', null, 1::bigint from app.invitations invitation
where invitation.accepted_at is null and invitation.revoked_at is null and invitation.expires_at > now()
union all
select member.organisation_id, 'seats', null, 1::bigint from app.memberships member
union all
select mail.organisation_id, 'invitationsPerHour', null, 1::bigint from app.mails mail
where mail.kind = 'invitation' and mail.id >= (select times.least_id(now() - interval '1 hour'))
union all
select mail.organisation_id, 'invitationsPerAddressPerDay', mail.recipient_key, 1::bigint from app.mails mail
where mail.kind = 'invitation' and mail.id >= (select times.least_id(now() - interval '1 day'))
union all
select starts.organisation_id, 'runStartsPerHour', null, starts.scripts from limits.starts
union all
select starts.organisation_id, 'routineStartsPerHour', null, starts.routines from limits.starts
union all
select starts.organisation_id, 'webhookStartsPerHour', null, starts.webhooks from limits.starts
union all
select routine.organisation_id, 'liveRoutines', null, 1::bigint from app.routines routine where routine.deleted_at is null
union all
select hook.organisation_id, 'liveHooks', null, 1::bigint from app.hooks hook where hook.deleted_at is null
union all
select usage.organisation_id, 'monthlySpendMicroCents', null, usage.spend_micro_cents
from app.monthly_usage usage where usage.month = limits.this_month();
comment on view limits.counted is 'The rows that limits count, with the name of the limit.';

call limits.make_triggers();

create trigger _200_live_keys before insert on app.api_keys
  for each row execute function limits.enforce_live_keys();
create trigger _200_live_webhooks before insert on app.webhook_endpoints
  for each row execute function limits.enforce_live_webhooks();
create trigger _200_open_invitations before insert on app.invitations
  for each row execute function limits.enforce_open_invitations();
create trigger _210_seats before insert on app.invitations
  for each row execute function limits.enforce_seats();
-- An expired invitation that is sent again needs a seat again; an open invitation has one.
create trigger _200_open_invitations_again before update on app.invitations
  for each row when (old.expires_at <= now() and new.expires_at > now() and new.revoked_at is null)
  execute function limits.enforce_open_invitations();
create trigger _210_seats_again before update on app.invitations
  for each row when (old.expires_at <= now() and new.expires_at > now() and new.revoked_at is null)
  execute function limits.enforce_seats();
create trigger _200_invitations_per_hour before insert on app.mails
  for each row when (new.kind = 'invitation') execute function limits.enforce_invitations_per_hour();
create trigger _210_invitations_per_address_per_day before insert on app.mails
  for each row when (new.kind = 'invitation')
  execute function limits.enforce_invitations_per_address_per_day('recipient');
create trigger _200_run_starts_per_hour before insert on app.runs
  for each row when (limits.limit_of_start(new.trigger) = 'runStartsPerHour')
  execute function limits.enforce_run_starts_per_hour();
create trigger _200_routine_starts_per_hour before insert on app.runs
  for each row when (limits.limit_of_start(new.trigger) = 'routineStartsPerHour')
  execute function limits.enforce_routine_starts_per_hour();
create trigger _200_webhook_starts_per_hour before insert on app.runs
  for each row when (limits.limit_of_start(new.trigger) = 'webhookStartsPerHour')
  execute function limits.enforce_webhook_starts_per_hour();
create trigger _200_live_routines before insert on app.routines
  for each row execute function limits.enforce_live_routines();
create trigger _200_live_hooks before insert on app.hooks
  for each row execute function limits.enforce_live_hooks();
