--! Previous: sha1:79fe304b6871505132dd53775fe961fb0d629791
--! Hash: sha1:b12f11b6e0ecb8aa2eae69926eb4c103a8debd6c
--! Message: executors

-- Claims that stay cheap: each conversation names its next run, and what is paused says until when. Starts are counted
-- by their kind.

alter table app.organisations
  add column hourly_routine_ceiling integer not null default 120 check (hourly_routine_ceiling >= 0),
  add column hourly_webhook_ceiling integer not null default 120 check (hourly_webhook_ceiling >= 0);
comment on column app.organisations.hourly_run_ceiling is 'Starts in a rolling hour by people and their scripts; routines and inbound webhooks have ceilings of their own.';

alter table app.conversations
  add column next_run_id uuid,
  add column next_model text,
  add check ((next_run_id is null) = (next_model is null));
create index conversations_next on app.conversations (next_model, next_run_id) where next_run_id is not null;
comment on column app.conversations.next_run_id is 'The run that an executor may take next: the oldest queued one, as long as none is working. Kept by triggers.settle_turn.';
comment on column app.conversations.next_model is 'The model of its bot, beside next_run_id so that an executor meets only what it serves.';

update app.conversations conversation
set next_run_id = next.run_id, next_model = next.model
from (
  select distinct on (run.organisation_id, run.conversation_id)
    run.organisation_id, run.conversation_id, run.id as run_id, bot.model
  from app.runs run
  join app.bots bot on bot.organisation_id = run.organisation_id and bot.id = run.bot_id
  where run.state = 'queued'
    and not exists (
      select from app.runs other
      where other.organisation_id = run.organisation_id
        and other.conversation_id = run.conversation_id
        and other.state in ('running', 'waiting_approval')
    )
  order by run.organisation_id, run.conversation_id, run.id
) next
where conversation.organisation_id = next.organisation_id and conversation.id = next.conversation_id;

-- The id is given once the organisation is locked (triggers.tg_runs__hold_ceiling), so that its runs are ordered as they
-- were committed.
alter table app.runs
  alter column id drop default,
  add column paused_until timestamptz(3);
update app.runs
set paused_until = (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC'
where state = 'paused_limit';
alter table app.runs add check ((state = 'paused_limit') = (paused_until is not null));
comment on column app.runs.paused_until is 'The beginning of the next month (UTC), when the limit counts anew; a raised limit ends the pause earlier.';

-- A lease is renewed every few seconds and a step adds to its run: no index may hold what those write, and pages keep
-- room for it, so that neither writes to an index.
drop index app.runs_leased;
drop index app.runs_oldest_queued;
drop index app.runs_paused;
create index runs_working on app.runs (organisation_id, id) where state = 'running';
create index runs_paused on app.runs (organisation_id, id) where state = 'paused_limit';
create index runs_paused_until on app.runs (paused_until) where state = 'paused_limit';
alter table app.runs set (fillfactor = 80);
alter table app.conversations set (fillfactor = 90);

-- The words of a conversation, latest first.
create index messages_of_conversation on app.messages (organisation_id, conversation_id, id);
