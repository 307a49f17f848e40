--! Previous: sha1:481ad4b3844fcb6957bafccac09ace114e4cdefb
--! Hash: sha1:871bdcc7b3a6aea9d5c38090e75ef9d2cb280b37
--! Message: failing-deletions

-- Operators see why a deletion does not go on. (docs/leaving.md#if-a-deletion-does-not-end)
alter table app.organisation_deletions
  add column failing_since timestamptz(3),
  add column failure text,
  add check ((failing_since is null) = (failure is null)),
  add check (ended_at is null or failing_since is null);
comment on column app.organisation_deletions.failing_since is 'Start of the present series of failed steps. Null: the last step did not fail.';
comment on column app.organisation_deletions.failure is 'Why the last step failed: names of tables and constraints, or an SQLSTATE, and no value of a row. Null: it did not fail.';
