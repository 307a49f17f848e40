/*
 * Organisations that move between clusters. (docs/moves.md, docs/decisions/0070-moves.md)
 * Restrictive policies hide what these functions name (policies/moves.sql).
 */
create function caller.absent_organisations(arriving_only boolean) returns uuid[]
language sql stable
security definer set search_path = ''
as $$
  select coalesce(array_agg(move.organisation_id), '{}')
  from app.organisation_moves move
  where move.state = 'arriving'
    -- A call that was authenticated before the switch still reads what it would have read then. It can write nothing.
    or move.state = 'departed' and not arriving_only and move.organisation_id is distinct from caller.organisation_id()
$$;
comment on function caller.absent_organisations is 'Instead of row-level security: ids only, for policies. Organisations whose rows are here, but which are in another cluster.';
grant execute on function caller.absent_organisations to authenticator, operator, auditor; -- the last two read views of owner

/*
 * What the policies call. PostgreSQL replaces the call by its body when it plans a statement, so an installation without a move
 * has no call. caller.hide_absent changes the body: that locks no table, and invalidates the plans.
 */
create function caller.hidden_organisations(arriving_only boolean) returns uuid[]
language sql stable
return '{}'::uuid[];
comment on function caller.hidden_organisations is 'While a move is under way: caller.absent_organisations. Otherwise none.';
grant execute on function caller.hidden_organisations to authenticator, operator, auditor; -- the last two read views of owner

-- A session notices the other body with its next transaction at the latest. The lock lets no move begin between look and change.
create function caller.hide_absent() returns void
language plpgsql
as $$
begin
  lock table app.organisation_moves in share row exclusive mode;
  execute format(
    'create or replace function caller.hidden_organisations(arriving_only boolean) returns uuid[] language sql stable return %s',
    case when exists (select from app.organisation_moves move where move.state not in ('moved', 'arrived'))
      then 'caller.absent_organisations(arriving_only)' else '''{}''::uuid[]' end
  );
end
$$;
comment on function caller.hide_absent is 'Makes policies hide absent organisations while a move is under way. For the administrator.';

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
comment on function caller.refuse_elsewhere is 'Instead of row-level security: whether an organisation in another cluster has this credential, and nothing about it. Fails if so.';
grant execute on function caller.refuse_elsewhere to authenticator;
