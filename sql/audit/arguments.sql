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
  parts constant text[] := parse_ident(name);
  found constant text := (
    select tables.name from audit.tables
    where tables.schema = 'app' and tables.relname = parts[cardinality(parts)]
      and (cardinality(parts) = 1 or parts[1:cardinality(parts) - 1] = '{app}')
  );
begin
  if found is null then
    perform audit.refuse(format('There is no table %s in schema app.', name), 'select name from audit.tables where schema = ''app'';');
  end if;
  return found;
end
$$;
comment on function audit.table_named is 'The full name of a table of schema app: memories, app.memories and "app"."memories" are the same, in either case.';
grant execute on function audit.table_named to auditor;

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
