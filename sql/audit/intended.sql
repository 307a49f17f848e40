/*
 * Which role lives on which schema, and on what in it. Whatever else was granted is a breach; owner, to whom almost
 * everything belongs, is left out. Beside this, what exactly each role may do is in grants.sql and in policies/.
 */
create view audit.intended (role, schema, enters, privileges, executes, why) as
values
  ('server', 'api', true, '{}'::text[], 'entries', 'the API logs in as it, and says all to api.handle, counted before or not'),
  ('tenant', 'app', true, '{SELECT,INSERT,UPDATE,DELETE}', 'none', 'every call of the API runs as it, under its policies'),
  ('tenant', 'rows', true, '{SELECT}', 'all', 'rows as JSON, through views that read as it'),
  ('tenant', 'api', true, '{}', 'all', 'the operations'),
  ('tenant', 'caller', true, '{}', 'all', 'who is asking'),
  ('tenant', 'search', true, '{}', 'all', 'claims, looked up by their words'),
  ('tenant', 'triggers', true, '{}', 'all', 'counts that ceilings are held against'),
  ('tenant', 'jobs', true, '{}', 'invokers', 'what a delivery will carry'),
  ('authenticator', 'app', true, '{SELECT}', 'none', 'looks credentials up, under its policies'),
  ('authenticator', 'caller', true, '{}', 'all', 'what a credential admits to'),
  ('searcher', 'app', true, '{SELECT}', 'none', 'looks words up, under its policy'),
  ('searcher', 'search', true, '{}', 'all', 'how words are compared'),
  ('searcher', 'extensions', true, '{}', 'all', 'how words are compared'),
  ('searcher', 'caller', true, '{}', 'all', 'whose claims it looks up'),
  ('searcher', 'rows', true, '{}', 'all', 'which page of them'),
  ('worker', 'jobs', true, '{}', 'all', 'deliveries, mail and the clock'),
  ('runner', 'runner', true, '{}', 'all', 'executors of runs'),
  ('operator', 'operator', true, '{SELECT}', 'all', 'the operators'' console'),
  ('operator', 'caller', true, '{}', 'all', 'its views stand on policies, which ask who is asking'),
  ('operator', 'rows', false, '{}', 'all', 'what its views call to say it as the API says it'),
  ('operator', 'triggers', false, '{}', 'all', 'what its views call to show a ceiling beside its count'),
  ('operator', 'jobs', false, '{}', 'invokers', 'what its views call to tell which workers live'),
  ('auditor', 'audit', true, '{SELECT}', 'all', 'whoever examines the walls');
comment on view audit.intended is 'What each role lives on: whether it may enter a schema, privileges on relations of a schema, and its functions: all, invokers (no definer function), entries (api.handle, and what counts before it) or none.';

-- What an API key must never show, by the names that such columns have.
create view audit.secret_columns as
select attribute.attrelid, attribute.attnum, tables.name || '.' || quote_ident(attribute.attname) as name
from audit.tables
join pg_catalog.pg_attribute attribute on attribute.attrelid = tables.oid
where tables.schema = 'app' and attribute.attnum > 0 and not attribute.attisdropped
  and attribute.attname ~ '(^|_)(digest|sealed|secret|password|token)(_|$)';
comment on view audit.secret_columns is 'Columns of digests and of what is sealed.';
