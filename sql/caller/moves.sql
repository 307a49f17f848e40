/*
 * Organisations that move between clusters or are being deleted. (docs/moves.md, docs/leaving.md)
 * Meanwhile a restrictive policy on each table hides what these functions name (sql/service/absence.sql).
 */
create function caller.absent_organisations(arriving_only boolean) returns uuid[]
language sql stable
security definer set search_path = ''
as $$
  select coalesce(array_agg(absent.organisation_id), '{}')
  from (
    select move.organisation_id
    from app.organisation_moves move
    where move.state = 'arriving'
      -- A call that was authenticated before the switch still reads what it would have read then. It can write nothing.
      or move.state = 'departed' and not arriving_only and move.organisation_id is distinct from caller.organisation_id()
    union all
    -- The transaction that deletes the rows still sees them.
    select deletion.organisation_id
    from app.organisation_deletions deletion
    where deletion.ended_at is null and not arriving_only
      and (deletion.step_transaction = pg_current_xact_id_if_assigned()) is not true
  ) absent
$$;
comment on function caller.absent_organisations is 'Instead of row-level security: reads app.organisation_moves and app.organisation_deletions only, and returns ids, for policies. Organisations whose rows are here, but which are in another cluster or are being deleted.';
grant execute on function caller.absent_organisations to tenant, authenticator, searcher, operator, auditor; -- these two read views of owner

create function caller.refuse_elsewhere(credential bytea) returns void
language plpgsql stable
security definer set search_path = ''
as $$
begin
  if exists (
    select from app.organisation_moves move where move.credentials @> array[credential] and move.state <> 'leaving'
  ) then
    raise sqlstate 'OA002' using message = 'the organisation is in another cell'; -- the API asks that cell, or answers 503
  end if;
end
$$;
comment on function caller.refuse_elsewhere is 'Instead of row-level security: move.credentials @> array[credential]. Returns nothing about the organisation in another cluster that has this credential. Fails if so.';
grant execute on function caller.refuse_elsewhere to authenticator;
