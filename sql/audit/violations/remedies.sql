/* The statements that put back what differs from a new database. Each can run twice: two findings may print the same statement. */
-- A privilege on a table hides those on its columns, and revoking it revokes them too. A role that owned the table has lost
-- its own. The definitions grant them again.
create function audit.needs_grants(found audit.differences) returns boolean
language sql stable
set search_path = ''
as $$
  select found.catalogue = 'pg_class' and audit.is_ours(found.name) and (found.present ->> 'relowner' in (select ours.name from audit.our_roles ours) or exists (
    select
    from jsonb_array_elements_text(coalesce(found.present -> 'relacl', '[]')) item,
      pg_catalog.pg_attribute attribute, pg_catalog.aclexplode(attribute.attacl) given
    where attribute.attrelid = audit.relation(found.name) and given.grantee <> 0
      and item in (given.privilege_type || ' to ' || quote_ident(pg_get_userbyid(given.grantee)), given.privilege_type || ' with grant option to ' || quote_ident(pg_get_userbyid(given.grantee)))
  ))
$$;
comment on function audit.needs_grants is 'Whether the columns of a table need their grants again, after its owner or access list was changed.';
grant execute on function audit.needs_grants to auditor;

-- Only by its name in pg_trigger: no repair rebuilds the triggers of a foreign key.
create function audit.trigger_states(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select string_agg(format(
    'alter table %s %s trigger %I;', trigger.tgrelid::regclass,
    case found.built ->> 'tgenabled' when 'D' then 'disable' when 'R' then 'enable replica' when 'A' then 'enable always' else 'enable' end,
    trigger.tgname
  ), ' ')
  from pg_catalog.pg_trigger trigger
  where 'pg_trigger ' || trigger.oid = any (found.members)
$$;
comment on function audit.trigger_states is 'The statement that enables or disables a trigger as in a new database.';
grant execute on function audit.trigger_states to auditor;

create function audit.restoration(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select case
    when found.catalogue = 'pg_description' then format('comment on %s is %L;', of_comment.target, found.built ->> 'description')
    when found.catalogue = 'pg_attrdef' and found.change = 'removed' or found.catalogue = 'pg_attrdef' and (found.built || found.present) - 'definition' = '{}'
      then format('alter table %s alter %s set default %s;', of_column.relation, of_column.name, found.built ->> 'definition')
    when found.catalogue = 'pg_constraint' and found.change = 'removed' then (
      select format('alter table %s add constraint %s %s;', part[2], part[1], found.built ->> 'definition')
      from regexp_matches(found.name, '^(.*) on (.*)$') part
    )
    when found.catalogue = 'pg_attribute' and found.change = 'changed' and (found.built || found.present) - 'attnotnull' = '{}'
      then format('alter table %s alter %s %s not null;', of_column.relation, of_column.name, case found.built ->> 'attnotnull' when 'true' then 'set' else 'drop' end)
    when found.catalogue = 'pg_trigger' and found.change = 'changed' and (found.built || found.present) - 'tgenabled' = '{}' then audit.trigger_states(found)
    when audit.needs_grants(found) then null
    when found.change = 'changed' and (found.built || found.present) - '{relrowsecurity,relforcerowsecurity,relpersistence,relacl,attacl,proacl,typacl,nspacl,lanacl,lomacl,fdwacl,srvacl,spcacl,relowner,proowner,typowner,nspowner,lanowner,spcowner}'::text[] = '{}' then nullif(concat_ws(
      ' ',
      (
        select string_agg(format('alter %s owner to %s;', found.object, coalesce(found.built ->> key, quote_ident(pg_catalog.pg_get_userbyid(10)))), ' ')
        from jsonb_object_keys(found.built || found.present) key where key ~ 'owner$'
      ),
      (
        select string_agg(format('alter table %s %s row level security;', found.name, action), ' ')
        from jsonb_each_text(found.built),
          lateral (select case when key = 'relrowsecurity' then case value when 'true' then 'enable' else 'disable' end when value = 'true' then 'force' else 'no force' end) as does (action)
        where key ~ 'rowsecurity$'
      ),
      case when found.built ? 'relpersistence' then format('alter table %s set %s;', coalesce(
        (select index.indrelid::regclass::text from pg_catalog.pg_index index where index.indexrelid = audit.relation(found.name)), found.name
      ), case found.built ->> 'relpersistence' when 'p' then 'logged' else 'unlogged' end) end,
      audit.privilege_changes(found, found.present, found.built, 'revoke %s on %s %s from %s;'),
      audit.privilege_changes(found, found.built, found.present, 'grant %s on %s %s to %s;')
    ), '')
  end
  from (values (regexp_replace(found.name, '\.[^.]+$', ''), substring(found.name from '[^.]+$'))) of_column (relation, name),
    (values (regexp_replace(regexp_replace(left(found.object, -length(found.name) - 1), '^description of ', ''), '^\S+ (column|constraint)$', '\1') || ' ' || found.name)) of_comment (target)
$$;
comment on function audit.restoration is 'The statement that puts back an object which was changed or removed, if there is a simple one.';
grant execute on function audit.restoration to auditor;

create function audit.remedy_of_difference(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select coalesce(
    case found.change when 'added' then audit.removal(found) else audit.restoration(found) end,
    case
      when not audit.is_ours(found.name) then 'find the cause, then put it back as expected'
      when found.catalogue in ('pg_proc', 'pg_policy', 'pg_trigger') or found.object ~ '^view ' or audit.needs_grants(found) then 'botstead migrate --repair'
      else 'find the cause, then botstead migrate --repair; tables, columns, constraints and indexes: put them back by hand'
    end
  )
$$;
comment on function audit.remedy_of_difference is 'How to put an object back: a statement, a command, or a sentence if neither does it.';
grant execute on function audit.remedy_of_difference to auditor;
