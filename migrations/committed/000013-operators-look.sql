--! Previous: sha1:45312bb97819958418437ba00077a231c949c6c0
--! Hash: sha1:f49bbfe0e7d67113214595854363610170e9c887
--! Message: operators-look

-- What operators look for: anything by its id alone, mail and invitations by address, what went wrong lately, and all
-- that happened in a span of time, whosever it is.

-- An id carries its time, and rows lie in the order of their times: an index of summaries, which costs writers next to
-- nothing, finds an id in a few pages of ten million rows and a span of time in its own.
create index runs_by_id on app.runs using brin (id) with (pages_per_range = 32, autosummarize = on);
create index memories_by_id on app.memories using brin (id) with (pages_per_range = 32, autosummarize = on);
create index messages_by_id on app.messages using brin (id) with (pages_per_range = 32, autosummarize = on);
create index deliveries_by_id on app.deliveries using brin (id) with (pages_per_range = 32, autosummarize = on);
create index events_by_id on app.events using brin (id) with (pages_per_range = 32, autosummarize = on);
create index delivery_attempts_by_time on app.delivery_attempts using brin (started_at) with (pages_per_range = 32, autosummarize = on);

-- Of these there are few, and they are written seldom.
create index api_keys_by_id on app.api_keys (id);
create index api_keys_by_prefix on app.api_keys (prefix);
create index bots_by_id on app.bots (id);
create index conversations_by_id on app.conversations (id);
create index webhook_endpoints_by_id on app.webhook_endpoints (id);
create index invitations_by_id on app.invitations (id);
create index approvals_by_id on app.approvals (id);
create index routines_by_id on app.routines (id);
create index mails_by_id on app.mails (id);
create index memberships_by_id on app.memberships (id);

-- Columns, since an index of an expression is not used behind a policy unless its functions are known not to leak.
alter table app.invitations add column email_key text not null generated always as (lower(email)) stored;
alter table app.mails add column recipient_key text not null generated always as (lower(recipient)) stored;
create index invitations_by_address on app.invitations (email_key, id);
create index mails_by_address on app.mails (recipient_key, id);

-- What went wrong is rare, and what is not among it is not in these.
create index runs_halted on app.runs (organisation_id, id) where state in ('failed', 'blocked');
create index deliveries_failed on app.deliveries (organisation_id, id) where state = 'failed';
create index deliveries_failed_of_endpoint on app.deliveries (organisation_id, endpoint_id, id) where state = 'failed';
create index webhook_endpoints_failing on app.webhook_endpoints (id)
  where (troubled_since is not null or state = 'disabled') and deleted_at is null;
