/*
 * What a deletion removes although nothing else may: entries of the audit log, and what operators have written about the
 * organisation. Triggers refuse it too, except in a step of a deletion. (sql/triggers/deletions.sql)
 */
create policy definitions_delete on app.audit_log for delete to owner
  using (organisation_id = coalesce((select caller.organisation_id()), organisation_id) and organisation_id in (
    select deletion.organisation_id from app.organisation_deletions deletion where deletion.ended_at is null
  ));
comment on policy definitions_delete on app.audit_log is 'The entries of an organisation that is being deleted.';

create policy definitions_delete on app.operator_actions for delete to owner
  using (organisation_id = coalesce((select caller.organisation_id()), organisation_id) and organisation_id in (
    select deletion.organisation_id from app.organisation_deletions deletion where deletion.ended_at is null
  ));
comment on policy definitions_delete on app.operator_actions is 'The actions on an organisation that is being deleted.';

create policy definitions_forget on app.operator_commands for update to owner
  using (subject_id in (
    select deletion.organisation_id from app.organisation_deletions deletion where deletion.ended_at is null
  ))
  with check (reason is null);
comment on policy definitions_forget on app.operator_commands is 'The reasons of commands for an organisation that is being deleted are removed.';
