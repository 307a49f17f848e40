/* Every policy with its conditions in SQL and its rule in words (its comment). */
create view audit.policies as
select audit.identity('pg_class', policy.polrelid) as table_name, policy.polname as policy,
  case policy.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end
    as command,
  case when role.oid = 0 then 'PUBLIC' else pg_get_userbyid(role.oid)::text end as role,
  policy.polpermissive as permissive,
  obj_description(policy.oid, 'pg_policy') as comment,
  audit.expression(policy.polqual, policy.polrelid) as rows_it_shows,
  audit.expression(policy.polwithcheck, policy.polrelid) as rows_it_takes
from pg_catalog.pg_policy policy, unnest(policy.polroles) as role (oid);
comment on view audit.policies is 'Every policy with its comment and its conditions: rows_it_shows limits what may be read, changed or deleted, rows_it_takes what may be written.';
grant select on audit.policies to auditor;

-- `((a) AND (b))` gives a and b; `(a OR b)` gives the whole. Each part holds for every row that the condition admits.
create function audit.conjuncts(condition text) returns setof text
language plpgsql immutable
as $$
declare
  depth integer := 0;
  quoted boolean := false;
  opened_at integer; -- position of the outermost open parenthesis
  part text := '';
  parts text[] := '{}';
  letter text;
begin
  for place in 1 .. length(condition) loop
    letter := substr(condition, place, 1);
    if letter = '''' then
      quoted := not quoted;
    elsif not quoted and letter = '(' then
      if depth = 0 then opened_at := place; end if;
      depth := depth + 1;
    elsif not quoted and letter = ')' then
      depth := depth - 1;
      if depth = 0 and opened_at = 1 and place = length(condition) then
        return query select audit.conjuncts(substr(condition, 2, length(condition) - 2));
        return;
      end if;
    elsif not quoted and depth = 0 and substr(condition, place, 5) = ' AND ' then
      parts := parts || part;
      part := '';
    end if;
    part := part || letter;
  end loop;
  if parts = '{}' then
    return query select condition where condition <> '';
  else
    return query select audit.conjuncts(regexp_replace(each, '^ AND ', '')) from unnest(parts || part) each;
  end if;
end
$$;
comment on function audit.conjuncts is 'The parts of a condition, as PostgreSQL prints it, that must all hold.';
grant execute on function audit.conjuncts to auditor;
