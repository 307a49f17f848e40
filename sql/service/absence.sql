/*
 * Hides the rows of organisations that are here, but are being deleted or are in another cluster (caller.absent_organisations).
 * The policies exist only meanwhile, since each statement pays for them. A statement that changes a definition waits briefly for its
 * lock, so each call creates or drops one policy.
 */
create view service.tables_without_hiding as
select tables.quoted, tables.key, tables.is_kept
from service.moved_tables tables
where not exists (
  select from pg_catalog.pg_policy policy
  where policy.polname = 'botstead_move' and policy.polrelid = ('app.' || tables.quoted)::regclass
);
comment on view service.tables_without_hiding is 'Tables of organisations without the policy that hides absent organisations.';

-- The audit log stays visible, since the checkpoint job verifies it.
create function service.hide_next_table() returns boolean
language plpgsql
as $$
declare
  hidden record;
begin
  select * into hidden from service.tables_without_hiding limit 1;
  if hidden.quoted is null then
    return false;
  end if;
  execute format('lock app.%s in access exclusive mode', hidden.quoted); -- another session may create it at once
  if exists (select from service.tables_without_hiding tables where tables.quoted = hidden.quoted) then
    execute format(
      'create policy botstead_move on app.%s as restrictive for all to tenant, authenticator, searcher, owner
         using (%s <> all ((select caller.absent_organisations(%s))::uuid[]))',
      hidden.quoted, hidden.key, hidden.is_kept::text
    );
    execute format(
      'comment on policy botstead_move on app.%s is %L',
      hidden.quoted, 'Rows of organisations that are here. Only while an organisation moves or is deleted.'
    );
  end if;
  return true;
end
$$;
comment on function service.hide_next_table is 'Creates one missing policy; false if there was none. For moves and deletions.';

create view service.absences_under_way as
select move.organisation_id
from app.organisation_moves move
where move.state not in ('moved', 'arrived')
union all
select deletion.organisation_id
from app.organisation_deletions deletion
where deletion.ended_at is null;
comment on view service.absences_under_way is 'Organisations that need the policies.';

-- The lock keeps moves and deletions from beginning between the check and the drop.
create function service.reveal_next_table(except_organisation uuid default null) returns boolean
language plpgsql
as $$
declare
  revealed text := (
    select tables.quoted
    from service.moved_tables tables
    where tables.quoted not in (select hidden.quoted from service.tables_without_hiding hidden)
    limit 1
  );
begin
  if revealed is null then
    return false;
  end if;
  lock app.organisation_moves in share mode;
  if exists (select from service.absences_under_way absence where absence.organisation_id is distinct from except_organisation) then
    return false;
  end if;
  execute format('drop policy if exists botstead_move on app.%s', revealed);
  return true;
end
$$;
comment on function service.reveal_next_table is 'Drops one policy, unless an organisation other than this one needs it; false if none was dropped. For moves and deletions.';

-- These definitions have dropped all policies. A deletion continues after an upgrade, and its rows stay hidden.
do $$
begin
  while exists (select from service.absences_under_way) and service.hide_next_table() loop
  end loop;
end
$$;
