--! Previous: sha1:d6efcd7b77d56d43925ad1559016ed5a75c3dd1f
--! Hash: sha1:6adcae7960bb32db054c1658c872adb42bb59657
--! Message: approvals

-- Cards: what a person has to answer before it happens. Claims and runs remember the run that they came from, so that
-- taint can be told by the database and not by whoever writes.

create type app.approval_kind as enum ('question', 'memory', 'run');
create type app.approval_state as enum ('pending', 'approved', 'refused', 'expired', 'withdrawn');

create table app.approvals (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  run_id uuid not null,
  bot_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null references app.people (id),
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
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, conversation_id, run_id) references app.runs (organisation_id, conversation_id, id),
  check ((kind = 'question') = (question is not null)),
  check ((kind = 'question') = (reason is not null)),
  check ((kind = 'question') = (proposal is null)),
  check ((state in ('approved', 'refused')) = (answered_at is not null))
);
create unique index approvals_by_token_digest on app.approvals (token_digest) where token_digest is not null;
create unique index approvals_one_question on app.approvals (organisation_id, run_id)
  where kind = 'question' and state = 'pending';
create index approvals_of_run on app.approvals (organisation_id, run_id, id);
create index approvals_of_person on app.approvals (organisation_id, person_id, id);
create index approvals_waiting on app.approvals (organisation_id, conversation_id) where state = 'pending';
create index approvals_by_expiry on app.approvals (expires_at) where state = 'pending';
comment on table app.approvals is 'Cards. A question holds its run up until it is answered or expires; a proposal of a tainted run lands when it is approved, and never otherwise.';
comment on column app.approvals.person_id is 'Who may answer: the person whose conversation the run belongs to.';
comment on column app.approvals.proposal is 'What is to be written, in the form in which it was looked at: a claim, or a run to start.';
comment on column app.approvals.token_digest is 'SHA-256 of the token in the mailed link; null until the worker has made the link. The token is made in Node and never reaches the database.';

alter type app.mail_kind add value 'approval';

alter table app.runs
  add column parent_run_id uuid,
  add foreign key (organisation_id, parent_run_id) references app.runs (organisation_id, id);
comment on column app.runs.parent_run_id is 'The run that started this one; its taint is this one''s too.';

alter table app.memories
  add column run_id uuid,
  add foreign key (organisation_id, run_id) references app.runs (organisation_id, id);
comment on column app.memories.run_id is 'The run that the claim came from; the provenance of such a claim follows from that run''s taint, whoever writes it.';
