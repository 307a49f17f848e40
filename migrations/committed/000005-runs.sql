--! Previous: sha1:718501491987be417ccb9de166ebd7852a0484cc
--! Hash: sha1:f275a82d0c6cc748be5eea2f546b2d5031127e65
--! Message: runs

-- Runs with their messages, steps, events and approvals; executors, models and prices.

create table app.executors (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  models text[] not null,
  started_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
comment on table app.executors is
  'Executors and the models that they serve. An executor without a heartbeat for a minute counts as gone.';

create table app.models (
  name text primary key check (char_length(name) between 1 and 100),
  last_served_at timestamptz(3) not null default now()
);
create index models_last_served on app.models (last_served_at);
comment on table app.models is
  'Models that executors have served, with the time of the last service to the minute. At most 2,000.';

create table app.model_prices (
  id uuid default uuidv7() primary key,
  model text not null check ((char_length(model) between 1 and 100) and model <> 'recall'),
  input_micro_cents bigint not null check (input_micro_cents between 0 and 1000000000000),
  output_micro_cents bigint not null check (output_micro_cents between 0 and 1000000000000),
  served boolean not null,
  reason text not null check (char_length(reason) between 1 and 500),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored
);
create index model_prices_latest on app.model_prices (model, id desc);
comment on table app.model_prices is
  'Prices of models, each with its reason. The latest price counts. Rows are never changed or removed, so past spend can be explained.';
comment on column app.model_prices.model is
  'The name that bots and the model service use. The built-in model recall costs nothing.';
comment on column app.model_prices.input_micro_cents is 'Micro-cents per million tokens.';
comment on column app.model_prices.output_micro_cents is 'Micro-cents per million tokens.';
comment on column app.model_prices.served is
  'False: no new run starts with this model. Runs under way are still priced.';

create table app.monthly_usage (
  organisation_id uuid,
  month date,
  spend_micro_cents bigint not null default 0 check (spend_micro_cents between 0 and 9000000000000000),
  primary key (organisation_id, month),
  foreign key (organisation_id) references app.organisations (id)
);
comment on column app.monthly_usage.spend_micro_cents is
  'At most 90 million euros. A JSON number holds it exactly, and no step can overflow the sum (runner.spend).';

create table app.runs (
  organisation_id uuid,
  id uuid,
  bot_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null,
  routine_id uuid,
  state app.run_state not null default 'queued',
  trigger app.run_trigger not null,
  taint boolean not null default false,
  steps integer not null default 0 check (steps >= 0),
  spend_micro_cents bigint not null default 0 check (spend_micro_cents >= 0),
  budget_steps integer not null default 50,
  budget_micro_cents bigint not null default 200000000,
  budget_working interval not null default '00:10:00',
  working interval not null default '00:00:00',
  working_since timestamptz,
  error app.run_error,
  lease_id uuid,
  lease_until timestamptz,
  executors_lost integer not null default 0,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  finished_at timestamptz(3),
  parent_run_id uuid,
  paused_until timestamptz(3),
  firing_at timestamptz(3),
  traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  primary key (organisation_id, id),
  unique (organisation_id, conversation_id, id),
  check ((state = 'running') = (lease_id is not null)),
  check ((state = 'running') = (working_since is not null)),
  check ((state in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
  check (error is null or state = 'failed'),
  check ((state = 'paused_limit') = (paused_until is not null)),
  check (firing_at is null or routine_id is not null),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, conversation_id) references app.conversations (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, parent_run_id) references app.runs (organisation_id, id),
  foreign key (person_id) references app.people (id)
) with (fillfactor = 80);
create unique index runs_one_working on app.runs (organisation_id, conversation_id)
  where state in ('running', 'waiting_approval');
create index runs_queued on app.runs (organisation_id, conversation_id, id) where state = 'queued';
create index runs_of_bot on app.runs (organisation_id, bot_id, id);
create index runs_working on app.runs (organisation_id, id) where state = 'running';
create index runs_paused on app.runs (organisation_id, id) where state = 'paused_limit';
create index runs_paused_until on app.runs (paused_until) where state = 'paused_limit';
create unique index runs_one_a_firing on app.runs (organisation_id, routine_id, firing_at) where firing_at is not null;
create index runs_by_id on app.runs using brin (id) with (pages_per_range = 32, autosummarize = on);
create index runs_halted on app.runs (organisation_id, id) where state in ('failed', 'blocked');
create index runs_blocked on app.runs (organisation_id, id) where state = 'blocked';
create index runs_waiting on app.runs (organisation_id, id) where state = 'waiting_approval';
create index runs_cancelled on app.runs (organisation_id, id) where state = 'cancelled';
comment on column app.runs.working is
  'Time in state running before working_since. Waiting for people does not count towards budget_working.';
comment on column app.runs.lease_id is
  'The lease that may write to this run. A later lease has another id, so an executor with an old lease writes nothing.';
comment on column app.runs.parent_run_id is 'The run that started this one. Its taint passes to this run.';
comment on column app.runs.paused_until is
  'When the limit is checked again: within a minute of the pause, then at the start of the next month (UTC). A raised limit ends the pause earlier.';
comment on column app.runs.firing_at is
  'The scheduled time for which the routine started this run. The start itself may be later.';
comment on column app.runs.traceparent is
  'W3C Trace Context of the request that started the run. The run and its deliveries continue this trace.';

create table app.messages (
  organisation_id uuid,
  id uuid default uuidv7(),
  conversation_id uuid not null,
  run_id uuid not null,
  author app.message_author not null,
  text text not null,
  memory_ids uuid[] not null default '{}',
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  erased_at timestamptz(3),
  primary key (organisation_id, id),
  constraint messages_text_check
    check (case when (erased_at is null) then (char_length(text) between 1 and 32000) else (text = '' and (memory_ids = '{}')) end),
  foreign key (organisation_id, conversation_id, run_id) references app.runs (organisation_id, conversation_id, id),
  foreign key (organisation_id) references app.organisations (id)
);
create index messages_of_run on app.messages (organisation_id, run_id, id);
create index messages_of_conversation on app.messages (organisation_id, conversation_id, id);
create index messages_by_id on app.messages using brin (id) with (pages_per_range = 32, autosummarize = on);
create index messages_citing on app.messages using gin (memory_ids) with (fastupdate = off) where memory_ids <> '{}';
comment on column app.messages.memory_ids is 'The memories that an answer cites, best first.';
comment on column app.messages.erased_at is
  'When the message was blanked because it cites an erased memory. Null: not blanked.';

create table app.steps (
  organisation_id uuid,
  run_id uuid,
  number integer check (number > 0),
  kind text not null check (char_length(kind) between 1 and 60),
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  spend_micro_cents bigint not null default 0 check (spend_micro_cents >= 0),
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, run_id, number),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
) partition by range (run_id);

create table app.approvals (
  organisation_id uuid,
  id uuid default uuidv7(),
  run_id uuid not null,
  bot_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null,
  kind app.approval_kind not null,
  question text check (char_length(question) between 1 and 2000),
  reason text check (char_length(reason) between 1 and 2000),
  proposal jsonb,
  state app.approval_state not null default 'pending',
  token_digest bytea check (octet_length(token_digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  answered_at timestamptz(3),
  primary key (organisation_id, id),
  check ((kind = 'question') = (question is not null)),
  check ((kind = 'question') = (reason is not null)),
  check ((kind = 'question') = (proposal is null)),
  check ((state in ('approved', 'refused')) = (answered_at is not null)),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, conversation_id, run_id) references app.runs (organisation_id, conversation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (person_id) references app.people (id)
);
create unique index approvals_by_token_digest on app.approvals (token_digest) where token_digest is not null;
create unique index approvals_one_question on app.approvals (organisation_id, run_id)
  where kind = 'question' and state = 'pending';
create index approvals_of_run on app.approvals (organisation_id, run_id, id);
create index approvals_of_person on app.approvals (organisation_id, person_id, id);
create index approvals_waiting on app.approvals (organisation_id, conversation_id) where state = 'pending';
create index approvals_by_expiry on app.approvals (expires_at) where state = 'pending';
create index approvals_by_id on app.approvals (id, organisation_id);
comment on table app.approvals is
  'Questions and proposals for a person. A question holds its run until it is answered or expires. A proposal of a tainted run takes effect only when it is approved.';
comment on column app.approvals.person_id is 'The person who may answer: the person of the run''s conversation.';
comment on column app.approvals.proposal is 'The memory or the run to start, exactly as the person sees it.';
comment on column app.approvals.token_digest is
  'SHA-256 of the token in the mailed link. Null until the worker has made the link. Node makes the token; the database never sees it.';

create table app.run_events (
  organisation_id uuid,
  run_id uuid,
  number integer check (number > 0),
  state app.run_state,
  taint boolean,
  steps integer,
  spend_micro_cents bigint,
  step_number integer,
  message_id uuid,
  approval_id uuid,
  primary key (organisation_id, run_id, number),
  check (num_nonnulls(state, step_number, message_id, approval_id) <= 1),
  check (num_nonnulls(state, taint, steps, spend_micro_cents) in (0, 4)),
  foreign key (organisation_id, approval_id)
    references app.approvals (organisation_id, id) ON DELETE SET NULL (approval_id),
  foreign key (organisation_id, message_id) references app.messages (organisation_id, id),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
) partition by range (run_id);
create index run_events_of_approval on app.run_events (organisation_id, approval_id) where approval_id is not null;
comment on table app.run_events is
  'What happened to a run, for its event stream: numbered from 1 without a gap, in commit order. Written by triggers. Lies in the week of its run, as steps do.';
comment on column app.run_events.state is
  'The state that the run entered, with its taint, steps and spend at that moment.';
comment on column app.run_events.step_number is 'A step of the same week. Each partition has its own foreign key.';
comment on column app.run_events.approval_id is
  'If the approval is erased, the event stays without content, so that its number is not used again.';
