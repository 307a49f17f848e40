--! Previous: sha1:722adf5d4fb7f67e9953df9951129b6822f03cb7
--! Hash: sha1:659ce0ccb189d60601e9c1f05932acb890d87664
--! Message: run-events

-- What happened to each run, in order, so that it can be told again exactly as it was. A row names what it tells of and
-- holds no words of its own: what a person or a bot said stays in one place.

create table app.run_events (
  organisation_id uuid not null,
  run_id uuid not null,
  number integer not null check (number > 0),
  state app.run_state,
  taint boolean,
  steps integer,
  spend_micro_cents bigint,
  step_number integer,
  message_id uuid,
  approval_id uuid,
  primary key (organisation_id, run_id, number),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id),
  foreign key (organisation_id, run_id, step_number) references app.steps (organisation_id, run_id, number),
  foreign key (organisation_id, message_id) references app.messages (organisation_id, id),
  foreign key (organisation_id, approval_id) references app.approvals (organisation_id, id)
    on delete set null (approval_id),
  check (num_nonnulls(state, step_number, message_id, approval_id) <= 1),
  check (num_nonnulls(state, taint, steps, spend_micro_cents) in (0, 4))
);
create index run_events_of_approval on app.run_events (organisation_id, approval_id) where approval_id is not null;
comment on table app.run_events is 'What happened to a run, as those who watch it are told: numbered from 1 without a gap, in the order of commits. Written by triggers alone.';
comment on column app.run_events.approval_id is 'A card that is erased leaves an event of nothing: nobody is told of it, and its number is not given again.';
comment on column app.run_events.state is 'The state that the run came into, with its taint, steps and spend at that moment.';

-- Of earlier runs it is told as far as it is known: that they were queued, what they did, and how they stand.
insert into app.run_events
  (organisation_id, run_id, number, state, taint, steps, spend_micro_cents, step_number, message_id, approval_id)
select organisation_id, run_id, row_number() over (partition by organisation_id, run_id order by place, at, nth),
  state, taint, steps, spend_micro_cents, step_number, message_id, approval_id
from (
  select run.organisation_id, run.id as run_id, 1 as place, run.created_at as at, 0 as nth, 'queued'::app.run_state as state,
    run.taint, 0 as steps, 0::bigint as spend_micro_cents, null::integer as step_number, null::uuid as message_id,
    null::uuid as approval_id
  from app.runs run
  union all
  select step.organisation_id, step.run_id, 2, step.created_at, step.number, null, null, null, null, step.number, null, null
  from app.steps step
  union all
  select approval.organisation_id, approval.run_id, 2, approval.created_at, 0, null, null, null, null, null, null, approval.id
  from app.approvals approval
  union all
  select message.organisation_id, message.run_id, 2, message.created_at, 0, null, null, null, null, null, message.id, null
  from app.messages message
  where message.author = 'bot'
  union all
  select run.organisation_id, run.id, 3, run.created_at, 0, run.state, run.taint, run.steps, run.spend_micro_cents, null,
    null, null
  from app.runs run
  where run.state <> 'queued'
) told;
