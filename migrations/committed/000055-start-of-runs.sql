--! Previous: sha1:ea619e434ee9c3e00c202f3ff172735365d70647
--! Hash: sha1:cf81ca776a3b6c9037feba4531cf9494c0b96236
--! Message: start-of-runs

alter table app.runs
  add column start_at timestamptz(3),
  add column postponed boolean not null default false,
  add constraint runs_postponed_check check (not postponed or state = 'queued');
comment on column app.runs.start_at is 'The time from which the run may start, if the client named one. Its place in the queue is this time, but not before created_at.';
comment on column app.runs.postponed is 'Until start_at: no executor leases the run, and other runs of its conversation go first.';

drop index app.runs_queued;
create index runs_queued on app.runs (organisation_id, conversation_id, postponed, greatest(start_at, created_at), id) where state = 'queued';
create index runs_postponed on app.runs (start_at) where postponed;

alter table app.conversations add column next_since timestamptz(3);
update app.conversations set next_since = uuid_extract_timestamp(next_run_id) where next_run_id is not null;
alter table app.conversations add check ((next_run_id is null) = (next_since is null));
comment on column app.conversations.next_since is 'The place of next_run_id in the queue: executors lease the earliest run first.';
drop index app.conversations_next;
create index conversations_next on app.conversations (next_model, next_since, next_run_id) where next_run_id is not null;
