/*
 * The rows that a person can read and write: per organisation, key and table. Nothing is derived from definitions: each table is
 * queried as tenant, with the settings that the credential would set, and counts the rows it shows. Credentials are keys,
 * portal sessions and views of operators. Without a live one a person reaches nothing through the API.
 * (docs/specification/conventions.md#credentials)
 */
create function audit.as_person(
  organisation uuid, person uuid, credential text, scope text, role text, queries text[]
) returns text[]
language plpgsql stable -- stable, so that no query can write
security definer
set search_path = ''
as $$
declare
  settings constant text[] := array['organisation_id', 'person_id', 'credential', 'scope', 'role'];
  before text[];
  answers text[] := '{}';
  answer text;
begin
  -- The function's own SET clause would restore them, but only a superuser may set these there.
  select array_agg(current_setting('caller.' || name, true) order by place) into before
  from unnest(settings) with ordinality as setting (name, place);
  perform set_config('caller.' || name, coalesce(value, ''), true)
  from unnest(settings, array[organisation::text, person::text, credential, scope, role]) as setting (name, value);
  for place in 1 .. cardinality(queries) loop
    begin
      execute queries[place] into answer;
    exception when undefined_column or undefined_table or insufficient_privilege then
      answer := null; -- the condition depends on the row, or on something that tenant may not read
    end;
    answers := answers || answer;
  end loop;
  perform set_config('caller.' || name, coalesce(value, ''), true)
  from unnest(settings, before) as setting (name, value);
  return answers;
end
$$;
comment on function audit.as_person is 'Instead of row-level security: runs as tenant, to which every policy applies. Runs queries with the rights of such a credential; only audit.exposure calls it.';

-- Rights of tenant by table and command, with the queries that show the effect for one person. how_many counts the
-- rows. conditions lists each condition that must hold, policy by policy. A condition that is independent of the
-- row, such as the key's scope being write, has an answer. A condition that depends on the row stays open.
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
comment on view audit.reach is 'Rights of tenant on each table: the columns (null: all), the policies, and the queries that show what the policies decide.';
grant select on audit.reach to auditor;

create view audit.held_keys as
select coalesce(member.organisation_id, key.organisation_id) as organisation_id,
  coalesce(member.person_id, key.created_by) as person_id, member.role, key.id, key.prefix, key.scope,
  case
    when key.id is null then 'none'
    when key.revoked_at is not null then 'revoked'
    when key.expires_at <= now() then 'expired'
    when member.role is null then 'its person has left'
    when member.role < 'admin' then 'its person is no admin'
    when key.suspended_at is not null then 'suspended' -- with its organisation: each call is refused with 403
    else 'live'
  end as state
from app.memberships member
full join app.api_keys key on key.organisation_id = member.organisation_id and key.created_by = member.person_id;
comment on view audit.held_keys is 'Every member with each of their keys; also members without a key, and keys whose person has left.';
grant select on audit.held_keys to auditor;

create view audit.held_sessions as
select session.organisation_id, session.person_id,
  least(member.role, creator.role) as role, session.id,
  case when session.operator is null then 'portal session' else 'view as' end as kind,
  coalesce(session.operator, maker.prefix) as opened_by,
  caller.scope_of_role(least(member.role, creator.role)) as scope, session.read_only,
  'portal_session ' || session.id
    || case when session.created_by <> session.person_id then ' for_another' else '' end as credential,
  case
    when session.revoked_at is not null then 'revoked'
    when session.expires_at <= now() then 'expired'
    when session.operator is null and (maker.id is null or maker.revoked_at is not null or maker.expires_at <= now()) then 'its key has ended'
    when session.operator is null and (creator.role >= 'admin') is not true then 'its maker is no admin'
    when session.operator is not null and not exists (
      select from app.operator_tokens token
      where token.id = session.operator_token_id and token.scope = 'act' and token.revoked_at is null and token.expires_at > now()
    ) then 'its token has ended'
    when session.opened_at is null and session.link_expires_at <= now() then 'its link has expired'
    when session.operator is null and organisation.suspended_at is not null then 'suspended'
    when session.opened_at is null then 'not opened'
    else 'live'
  end as state
from app.portal_sessions session
join app.organisations organisation on organisation.id = session.organisation_id
join app.memberships member on member.organisation_id = session.organisation_id and member.person_id = session.person_id
left join app.memberships creator on creator.organisation_id = session.organisation_id and creator.person_id = session.created_by
left join app.api_keys maker on maker.organisation_id = session.organisation_id and maker.id = session.key_id;
comment on view audit.held_sessions is 'Portal sessions and views of operators, with their person, rights and state.';

create view audit.held_credentials as
select known.organisation_id, known.person_id, known.role, known.id, 'key' as kind, known.prefix as name, known.scope,
  'key ' || known.id as credential, false as read_only, known.state
from audit.held_keys known
union all
select session.organisation_id, session.person_id, session.role, session.id, session.kind,
  session.kind || coalesce(' by ' || session.opened_by, ''), session.scope, session.credential, session.read_only, session.state
from audit.held_sessions session;
comment on view audit.held_credentials is 'Every member with each of their keys, portal sessions and views of operators as them.';

create function audit.decisions(
  all_policies text[], conditions text[], answers text[], out policies text[], out refused_by text[]
)
language sql immutable
as $$
  select
    array(
      select answered.policy
      from unnest(all_policies, answers) as answered (policy, answer)
      group by answered.policy
      having 'false' <> all (array_agg(coalesce(answered.answer, '')))
      order by answered.policy
    ),
    array(
      select distinct answered.condition
      from unnest(conditions, answers) as answered (condition, answer)
      where answered.answer = 'false'
    )
$$;
comment on function audit.decisions is 'The policies whose conditions do not answer false, and the conditions that do.';

create function audit.exposure(
  person uuid default null, organisation uuid default null, on_table text default null, for_command text default null
) returns table (
  organisation_id uuid, person_id uuid, member_role text, key_id uuid, key_prefix text, scope text, key_state text,
  table_name text, command text, columns text[], rows bigint, policies text[], refused_by text[]
)
language sql stable
security definer
set search_path = ''
as $$
  with reach as materialized (
    select * from audit.reach
    where (on_table is null or reach.table_name = audit.table_named(on_table))
      and (for_command is null or reach.command = audit.command_named(for_command))
  ), keys as materialized (
    select * from audit.held_credentials key
    where (select audit.require_subject(exposure.person, exposure.organisation, 'audit.exposure(person => …), or audit.exposure(organisation => …)'))
      and coalesce(key.person_id = exposure.person, true) and coalesce(key.organisation_id = exposure.organisation, true)
  )
  select keys.organisation_id, keys.person_id, keys.role::text, keys.id, keys.name, keys.scope::text, keys.state,
    reach.table_name, reach.command, reach.columns, (result.answers[1])::bigint, decided.policies, decided.refused_by
  from keys
  left join reach on keys.state = 'live' and (reach.command = 'select' or not keys.read_only)
  left join lateral audit.as_person(
    keys.organisation_id, keys.person_id, keys.credential, keys.scope::text, keys.role::text,
    coalesce(reach.how_many, 'select null') || array(select 'select ' || condition from unnest(reach.conditions) condition)
  ) as result (answers) on reach.table_name is not null
  left join lateral audit.decisions(reach.policies, reach.conditions, result.answers[2:]) decided on reach.table_name is not null
  order by keys.organisation_id, keys.person_id, keys.id, reach.table_name,
    array_position(array['select', 'insert', 'update', 'delete'], reach.command)
$$;
comment on function audit.exposure is 'Instead of row-level security: only auditor may execute it. Reads keys, portal sessions and memberships, and queries tables only as tenant. For a person, an organisation or both: what each key and portal session reaches (key_prefix: the key, or the kind of session), how many rows, by which policies; for a refused command, by which condition.';
grant execute on function audit.exposure to auditor;

create function audit.person(email text) returns uuid
language sql stable
security definer
set search_path = ''
as $$
  select coalesce(
    (select people.id from app.people where names.address(people.email) = names.address(person.email)),
    audit.refuse('No person has that e-mail address.', 'audit.activity and audit.exposure also take an id.')::text::uuid
  )
$$;
comment on function audit.person is 'Instead of row-level security: only auditor may execute it. Returns the id of the person with this address, and nothing else. Refuses an unknown address.';
grant execute on function audit.person to auditor;
