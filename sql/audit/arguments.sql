/* Arguments of the audit's functions, in every usual spelling. */
create function audit.refuse(problem text, hint text) returns boolean
language plpgsql -- volatile, so that planning a statement never calls it
as $$
begin
  raise exception using errcode = 'invalid_parameter_value', message = problem, hint = hint;
end
$$;
comment on function audit.refuse is 'Ends the statement with this message and hint.';
grant execute on function audit.refuse to auditor;

create function audit.table_named(name text) returns text
language plpgsql
set search_path = ''
as $$
declare
  parts text[];
  found text;
begin
  begin
    parts := parse_ident(name);
  exception when invalid_parameter_value then
    parts := '{}'; -- no name of a table
  end;
  select tables.name into found
  from audit.tables
  where tables.schema = 'app' and tables.relname = parts[cardinality(parts)]
    and (cardinality(parts) = 1 or parts[1:cardinality(parts) - 1] = '{app}');
  if found is null then
    perform audit.refuse(format('There is no table %s in schema app.', coalesce(name, 'null')), 'select name from audit.tables where schema = ''app'';');
  end if;
  return found;
end
$$;
comment on function audit.table_named is 'The full name of a table of schema app: memories, app.memories and "app"."memories" are the same, in either case.';
grant execute on function audit.table_named to auditor;

create function audit.require_subject(person uuid, organisation uuid, hint text) returns boolean
language plpgsql -- volatile, as audit.refuse
set search_path = ''
as $$
begin
  return case
    when num_nonnulls(person, organisation) = 0 then audit.refuse('Name a person or an organisation.', hint)
    when organisation is not null and not exists (select from app.organisations where id = organisation)
      then audit.refuse(format('There is no organisation %s.', organisation), 'select organisation_id from audit.chain_heads;')
    when person is not null and not exists (select from app.people where id = person)
      then audit.refuse(format('There is no person %s.', person), 'select audit.person(''e-mail address'');')
    else true
  end;
end
$$;
comment on function audit.require_subject is 'Refuses a missing or unknown person or organisation.';

create function audit.command_named(name text) returns text
language sql
as $$
  select case
    when lower(btrim(name)) in ('select', 'insert', 'update', 'delete') then lower(btrim(name))
    else audit.refuse(format('%s is no command.', name), 'select, insert, update or delete')::text
  end
$$;
comment on function audit.command_named is 'A command in lower case; refuses an unknown one.';
grant execute on function audit.command_named to auditor;
