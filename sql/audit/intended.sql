/*
 * Which role lives on which schema, and on what in it. Whatever else was granted is a breach; owner, to whom almost
 * everything belongs, is left out. Beside this, what exactly each role may do is in grants.sql and in policies/.
 */
create view audit.intended (role, schema, privileges, executes, why) as
values
  ('server', 'api', '{}'::text[], 'one', 'the API logs in as it, and says all to api.handle'),
  ('tenant', 'app', '{SELECT,INSERT,UPDATE,DELETE}', 'none', 'every call of the API runs as it, under its policies'),
  ('tenant', 'rows', '{SELECT}', 'all', 'rows as JSON, through views that read as it'),
  ('tenant', 'api', '{}', 'all', 'the operations'),
  ('tenant', 'caller', '{}', 'all', 'who is asking'),
  ('tenant', 'search', '{}', 'all', 'claims, looked up by their words'),
  ('tenant', 'triggers', '{}', 'all', 'counts that ceilings are held against'),
  ('tenant', 'jobs', '{}', 'invokers', 'what a delivery will carry'),
  ('authenticator', 'app', '{SELECT}', 'none', 'looks credentials up, under its policies'),
  ('authenticator', 'caller', '{}', 'all', 'what a credential admits to'),
  ('searcher', 'app', '{SELECT}', 'none', 'looks words up, under its policy'),
  ('searcher', 'search', '{}', 'all', 'how words are compared'),
  ('searcher', 'extensions', '{}', 'all', 'how words are compared'),
  ('searcher', 'caller', '{}', 'all', 'whose claims it looks up'),
  ('searcher', 'rows', '{}', 'all', 'which page of them'),
  ('worker', 'jobs', '{}', 'all', 'deliveries, mail and the clock'),
  ('runner', 'runner', '{}', 'all', 'executors of runs'),
  ('operator', 'operator', '{SELECT}', 'all', 'the operators'' console'),
  ('operator', 'caller', '{}', 'all', 'its views stand on policies, which ask who is asking'),
  ('auditor', 'audit', '{SELECT}', 'all', 'whoever examines the walls');
comment on view audit.intended is 'What each role lives on: privileges on relations of a schema, and its functions: all, invokers (no definer function), one (api.handle) or none.';

-- What an API key must never show, by the names that such columns have.
create view audit.secret_columns as
select attribute.attrelid, attribute.attnum, tables.name || '.' || quote_ident(attribute.attname) as name
from audit.tables
join pg_catalog.pg_attribute attribute on attribute.attrelid = tables.oid
where tables.schema = 'app' and attribute.attnum > 0 and not attribute.attisdropped
  and attribute.attname ~ '(^|_)(digest|sealed|secret|password|token)(_|$)';
comment on view audit.secret_columns is 'Columns of digests and of what is sealed.';
