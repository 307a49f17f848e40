--! Previous: sha1:c0006a0af73c3dbcb926cd3a997e4334768310dd
--! Hash: sha1:1e9497f4a39474aa63f33d23313635fca281244b
--! Message: deletions-with-references

-- A deletion deletes rows before the rows that they refer to, by foreign keys that are in force. (docs/decisions/0041-deleted-organisations.md)
alter table app.organisation_deletions add column step_transaction xid8;
comment on column app.organisation_deletions.step_transaction is
  'The transaction of the step under way. Only it sees the rows of the organisation, and triggers let it delete them. Null between steps.';

-- References in a circle: runs to runs, and runs to routines to runs. 000067 reads the rows.
alter table app.runs
  drop constraint runs_organisation_id_parent_run_id_fkey,
  drop constraint runs_retry_of_fkey,
  add constraint runs_organisation_id_parent_run_id_fkey foreign key (organisation_id, parent_run_id)
    references app.runs (organisation_id, id) on delete set null (parent_run_id) not valid,
  add constraint runs_retry_of_fkey foreign key (organisation_id, retry_of)
    references app.runs (organisation_id, id) on delete set null (retry_of) not valid;
alter table app.routines
  drop constraint routines_organisation_id_last_run_id_fkey,
  add constraint routines_organisation_id_last_run_id_fkey foreign key (organisation_id, last_run_id)
    references app.runs (organisation_id, id) on delete set null (last_run_id) not valid;

-- Each deleted row is looked up in these columns.
create index runs_of_parent on app.runs (organisation_id, parent_run_id) where parent_run_id is not null;
create index run_events_of_message on app.run_events (organisation_id, message_id) where message_id is not null;
create index hook_receipts_of_run on app.hook_receipts (organisation_id, run_id);
