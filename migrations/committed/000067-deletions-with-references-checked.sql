--! Previous: sha1:1e9497f4a39474aa63f33d23313635fca281244b
--! Hash: sha1:c678a73ae1c85ed31c406d40c4613aa5eb7310d4
--! Message: deletions-with-references-checked

alter table app.runs
  validate constraint runs_organisation_id_parent_run_id_fkey,
  validate constraint runs_retry_of_fkey;
alter table app.routines validate constraint routines_organisation_id_last_run_id_fkey;
