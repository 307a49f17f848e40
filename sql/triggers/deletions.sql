/*
 * The deletion of an organisation deletes rows that no one else may delete, and whose deletion has no effect on others. So
 * triggers ask this first. (docs/decisions/0041-deleted-organisations.md)
 *
 * No setting and no privilege of a login makes it true: only functions of owner write app.organisation_deletions, and only a step
 * of a deletion writes its transaction there. PostgreSQL gives each id of a transaction once.
 */
create function triggers.is_deletion_step(organisation uuid) returns boolean
language sql stable
as $$
  select exists (
    select
    from app.organisation_deletions deletion
    where deletion.organisation_id = organisation and deletion.step_transaction = pg_current_xact_id_if_assigned()
  )
$$;
comment on function triggers.is_deletion_step is 'Whether this transaction is the step under way of the deletion of the organisation. For definer functions of triggers, and for triggers of tables from which only owner deletes.';
