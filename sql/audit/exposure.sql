/*
 * What a person can read and write: in each of their organisations, through each of their keys, table by table. Nothing
 * of it is derived: each table is asked as tenant, with the settings that the key would make, and says how many rows it
 * shows. A person without a live key, who is no longer an admin, or whose organisation is suspended, reaches nothing by the
 * API. (Parts 5.5 and 5.6.)
 */
create function audit.as_person(
  organisation uuid, person uuid, key uuid, scope text, role text, questions text[]
) returns text[]
language plpgsql stable -- and so it can't write, whatever it is asked
security definer
set search_path = ''
as $$
-- In place of row-level security: nothing is replaced. It belongs to tenant, whom every policy holds.
declare
  settings constant text[] := array[
    'organisation_id', 'person_id', 'key_id', 'scope', 'role', 'platform_key_id', 'invitation_id', 'approval_id', 'hook_id'
  ];
  before text[];
  answers text[] := '{}';
  answer text;
begin
  -- A function's own SET would put them back, but only a superuser may give a function one of these.
  select array_agg(current_setting('caller.' || name, true) order by place) into before
  from unnest(settings) with ordinality as setting (name, place);
  perform set_config('caller.' || name, coalesce(value, ''), true)
  from unnest(settings, array[organisation::text, person::text, key::text, scope, role]) as setting (name, value);
  for place in 1 .. cardinality(questions) loop
    begin
      execute questions[place] into answer;
    exception when undefined_column or undefined_table or insufficient_privilege then
      answer := null; -- it depends on the row, or on what tenant may not read
    end;
    answers := answers || answer;
  end loop;
  perform set_config('caller.' || name, coalesce(value, ''), true)
  from unnest(settings, before) as setting (name, value);
  return answers;
end
$$;
comment on function audit.as_person is 'Instead of row-level security: nothing, since it belongs to tenant and every policy holds it. Answers questions as they are answered to whoever asks with such a key; audit.exposure alone asks.';

-- What tenant may do at all, by table and command, and what to ask to learn what becomes of it for somebody: how many
-- rows there are for it; then, policy by policy, each condition that must hold. One that does not depend on the row,
-- as that the key's scope is write, is answered by itself; one that does is not, and stays open.
create view audit.reach as
with policies as (
  select policy.table_name, policy.policy::text as policy, policy.permissive, policy.rows_it_shows as shows,
    coalesce(policy.rows_it_takes, policy.rows_it_shows) as takes, command.name as command
  from audit.policies policy
  join (values ('select'), ('insert'), ('update'), ('delete')) as command (name) on policy.command in (command.name, 'all')
  where policy.role = 'tenant'
), conditions as (
  select policies.table_name, policies.command, policies.policy, part.condition
  from policies, audit.conjuncts(case policies.command when 'insert' then policies.takes else policies.shows end) part (condition)
  where policies.permissive
), privileges as (
  select given.object as table_name, lower(given.privilege) as command,
    case when bool_and(given.column_name is not null) then array_agg(given.column_name order by given.column_name) end as columns
  from audit.privileges given
  where given.schema = 'app' and given.grantee = to_regrole('tenant')
    and given.privilege in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  group by given.object, given.privilege
)
select privileges.table_name, privileges.command, privileges.columns,
  (
    select format(
      'select count(*) from %s where (%s) and (%s)', privileges.table_name,
      coalesce(string_agg('(' || policies.shows || ')', ' or ') filter (where policies.permissive), 'false'),
      coalesce(string_agg('(' || policies.shows || ')', ' and ') filter (where not policies.permissive), 'true')
    )
    from policies
    where policies.table_name = privileges.table_name and policies.command = privileges.command
      and privileges.command in ('update', 'delete')
    having count(*) > 0
    union all
    select format('select count(*) from %s', privileges.table_name) where privileges.command = 'select'
  ) as how_many,
  array(
    select conditions.policy from conditions
    where conditions.table_name = privileges.table_name and conditions.command = privileges.command
    order by conditions.policy, conditions.condition
  ) as policies,
  array(
    select conditions.condition from conditions
    where conditions.table_name = privileges.table_name and conditions.command = privileges.command
    order by conditions.policy, conditions.condition
  ) as conditions
from privileges;
comment on view audit.reach is 'What tenant may do with each table: the columns (null: all), the policies that decide, and what to ask to learn how they decide.';

create function audit.exposure(person uuid default null, organisation uuid default null)
returns table (
  organisation_id uuid, person_id uuid, member_role text, key_id uuid, key_prefix text, scope text, key_state text,
  table_name text, command text, columns text[], rows bigint, policies text[], refused_by text[]
)
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: whose keys and memberships there are is read of all; what is in the tables is asked
  -- as tenant (audit.as_person), and answered in counts.
  with reach as materialized (
    select * from audit.reach
  ), keys as materialized (
    select coalesce(member.organisation_id, key.organisation_id) as organisation_id,
      coalesce(member.person_id, key.created_by) as person_id, member.role, key.id, key.prefix, key.scope,
      case
        when key.id is null then 'none'
        when key.revoked_at is not null then 'revoked'
        when key.expires_at <= now() then 'expired'
        when member.role is null then 'its person has left'
        when member.role < 'admin' then 'its person is no admin'
        when key.suspended_at is not null then 'suspended' -- with its organisation: each call is answered 403
        else 'live'
      end as state
    from app.memberships member
    full join app.api_keys key on key.organisation_id = member.organisation_id and key.created_by = member.person_id
    where (exposure.person is not null or exposure.organisation is not null)
      and coalesce(coalesce(member.person_id, key.created_by) = exposure.person, true)
      and coalesce(coalesce(member.organisation_id, key.organisation_id) = exposure.organisation, true)
  )
  select keys.organisation_id, keys.person_id, keys.role::text, keys.id, keys.prefix, keys.scope::text, keys.state,
    reach.table_name, reach.command, reach.columns, (asked.answers[1])::bigint, decided.policies, decided.refused_by
  from keys
  left join reach on keys.state = 'live'
  left join lateral audit.as_person(
    keys.organisation_id, keys.person_id, keys.id, keys.scope::text, keys.role::text,
    coalesce(reach.how_many, 'select null') || array(select 'select ' || condition from unnest(reach.conditions) condition)
  ) as asked (answers) on reach.table_name is not null
  left join lateral (
    select
      array(
        select answered.policy
        from unnest(reach.policies, asked.answers[2:]) as answered (policy, answer)
        group by answered.policy
        having 'false' <> all (array_agg(coalesce(answered.answer, '')))
        order by answered.policy
      ) as policies,
      array(
        select distinct answered.condition
        from unnest(reach.conditions, asked.answers[2:]) as answered (condition, answer)
        where answered.answer = 'false'
      ) as refused_by
    where reach.table_name is not null
  ) decided on true
  order by keys.organisation_id, keys.person_id, keys.id, reach.table_name,
    array_position(array['select', 'insert', 'update', 'delete'], reach.command)
$$;
comment on function audit.exposure is 'Instead of row-level security: reads whose keys and memberships there are, and asks the rest as tenant. Of a person, of an organisation or of a person in one: what each key reaches, how many rows, by which policies; of a command that is refused, by which condition.';

create function audit.person(email text) returns uuid
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: the id of whoever has this address, and nothing else.
  select somebody.id from app.people somebody where lower(somebody.email) = lower(person.email)
$$;
comment on function audit.person is 'Instead of row-level security: answers the id of whoever has this address, and nothing else.';
