/* Functions that run with the rights of their owner, and so could bypass row-level security. */
create view audit.definer_functions as
select definer.function, definer.runs_as, definer.search_path, definer.pins_search_path, definer.executed_by, definer.instead,
  exists (
    select from regexp_matches(coalesce(substring(definer.instead from '^(.*?)\.(?: |$)'), definer.instead), '[a-z_]+\.[a-z_]+', 'g') named
    where position(named[1] in definer.prosrc) > 0
  )
  -- Roles of the API serve all organisations, so their privilege is no check.
  or definer.prorettype <> 'trigger'::regtype
    and not definer.executed_by && array['tenant', 'server', 'PUBLIC']
    and starts_with(
      definer.instead, format('only %s may execute it', coalesce(nullif(array_to_string(definer.executed_by, ', '), ''), 'owner'))
    )
  or definer.runs_as <> 'owner' and starts_with(definer.instead, format('runs as %s, ', definer.runs_as)) as names_check
from (
  select audit.identity('pg_proc', function.oid) as function,
    pg_get_userbyid(function.proowner)::text as runs_as,
    (
      select nullif(substr(setting, length('search_path=') + 1), '""')
      from unnest(function.proconfig) setting
      where setting like 'search\_path=%'
    ) as search_path,
    coalesce('search_path=""' = any (function.proconfig), false) as pins_search_path,
    (
      select coalesce(array_agg(case when given.grantee = 0 then 'PUBLIC' else pg_get_userbyid(given.grantee)::text end order by 1), '{}')
      from aclexplode(coalesce(function.proacl, acldefault('f', function.proowner))) given
      where given.grantee <> function.proowner
    ) as executed_by,
    substring(obj_description(function.oid, 'pg_proc') from '^Instead of row-level security: (.+)$') as instead,
    function.prosrc,
    function.prorettype
  from pg_catalog.pg_proc function
  join pg_catalog.pg_namespace schema on schema.oid = function.pronamespace
  where function.prosecdef and schema.nspname not in ('pg_catalog', 'information_schema')
) definer;
comment on view audit.definer_functions is 'Functions with their owner''s rights: the owner, who may execute them (except the owner), and what stands in place of row-level security. names_check: the first sentence names a function or column that the body uses, the roles that may execute the function, or the role that it runs as. Trigger functions need no execute privilege.';
grant select on audit.definer_functions to auditor;

-- Functions that belong to a role subject to RLS, called by roles that are not. Listed by name, since an auditor has no
-- access to those schemas.
create view audit.handed_over as
select function.oid, listed.function, listed.owner
from (
  values
    ('api.handle(bytea,text,jsonb,json,uuid,bytea,bytea,bytea,boolean,inet)', 'tenant'),
    ('api.readiness()', 'tenant'),
    ('api.signing_keys()', 'tenant'),
    ('api.run_events_channel()', 'tenant'),
    ('api.organisation_of(bytea)', 'tenant'),
    ('api.deleted_organisations()', 'tenant'),
    ('api.count_request_minutes(jsonb)', 'tenant'),
    ('api.count_key_days(jsonb)', 'tenant'),
    ('api.count_refused_credentials(jsonb)', 'tenant'),
    ('audit.as_person(uuid,uuid,text,text,text,text[])', 'tenant'),
    ('operator.perform(text,jsonb)', 'tenant'),
    ('caller.authenticate(bytea,text,boolean,inet)', 'authenticator'),
    ('api.count_request(bytea,text,integer,integer[],inet)', 'authenticator'),
    ('api.count_requests(bytea[],text[],integer[],integer[],inet[])', 'authenticator'),
    ('search.memories(app.language,text,uuid[],uuid,jsonb,text,search.place,integer)', 'searcher'),
    ('search.deliveries(uuid,app.event_kind[],app.delivery_state[],uuid,uuid,integer)', 'searcher'),
    ('search.pending_deliveries(uuid,uuid,uuid)', 'searcher')
) as listed (function, owner)
left join pg_catalog.pg_proc function
  on function.prosecdef and audit.identity('pg_proc', function.oid) = listed.function;
comment on view audit.handed_over is 'The functions that must belong to another role than owner.';
grant select on audit.handed_over to auditor;
