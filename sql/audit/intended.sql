/*
 * The intended privileges of each role on schemas and their content. Any other privilege is a violation. owner is left out: almost
 * everything belongs to it. Each schema, view and function has its grants below it. Grants on tables
 * are in policies/.
 */
create view audit.intended (role, schema, enters, privileges, executes, why) as
values
  ('server', 'api', true, '{}'::text[], 'entries', 'login of the API; calls api.handle, what counts before it, and what the process asks for itself'),
  ('tenant', 'app', true, '{SELECT,INSERT,UPDATE,DELETE}', 'none', 'runs every API call, under its policies'),
  ('tenant', 'rows', true, '{SELECT}', 'all', 'rows as JSON, through views with its own rights'),
  ('tenant', 'api', true, '{}', 'all', 'the operations'),
  ('tenant', 'caller', true, '{}', 'all', 'identity of the caller'),
  ('tenant', 'errors', true, '{}', 'all', 'refusals'),
  ('tenant', 'names', true, '{}', 'all', 'rules for names'),
  ('tenant', 'times', true, '{}', 'all', 'the clock, ids by time'),
  ('tenant', 'limits', true, '{}', 'all', 'payment, limits and their use'),
  ('tenant', 'policies', true, '{}', 'all', 'conditions of its policies'),
  ('tenant', 'service', true, '{}', 'all', 'readiness, request counts, retention, public keys, the channel of run events'),
  ('tenant', 'models', true, '{}', 'all', 'models that are served'),
  ('tenant', 'runs', true, '{}', 'all', 'starting and ending runs'),
  ('tenant', 'erasure', true, '{}', 'all', 'erasure of memories'),
  ('tenant', 'api_private', true, '{}', 'all', 'helpers of operations'),
  ('tenant', 'search', true, '{}', 'all', 'full-text search of memories'),
  ('authenticator', 'app', true, '{SELECT}', 'none', 'looks up credentials, under its policies'),
  ('authenticator', 'caller', true, '{}', 'all', 'identity and rights of a credential'),
  ('authenticator', 'limits', true, '{}', 'all', 'rate limits'),
  ('searcher', 'app', true, '{SELECT}', 'none', 'reads search vectors, and events and states of deliveries, under its policies'),
  ('searcher', 'search', true, '{}', 'all', 'comparison of lexemes'),
  ('searcher', 'names', true, '{}', 'all', 'comparison of subjects'),
  ('searcher', 'extensions', true, '{}', 'all', 'comparison of lexemes'),
  ('searcher', 'caller', true, '{}', 'all', 'the organisation that it searches'),
  ('searcher', 'rows', true, '{}', 'all', 'pages of results'),
  ('worker', 'jobs', true, '{}', 'all', 'deliveries, mail and maintenance'),
  ('worker', 'graphile_worker', true, '{SELECT,INSERT,UPDATE,DELETE}', 'none', 'fetches and completes jobs'),
  ('executor', 'runner', true, '{}', 'all', 'executors of runs'),
  ('operator', 'operator', true, '{SELECT}', 'actions', 'the operators'' console'),
  ('cli', 'operator', true, '{SELECT}', 'commands', 'the operators'' command line'),
  ('operator', 'caller', true, '{}', 'all', 'called by policies on the tables of its views'),
  ('operator', 'rows', false, '{}', 'all', 'called by its views for the API''s format'),
  ('operator', 'names', true, '{}', 'all', 'comparison of names'),
  ('operator', 'limits', false, '{}', 'all', 'called by its views for limits and their use'),
  ('operator', 'times', false, '{}', 'all', 'called by its views for ids by time'),
  ('operator', 'service', false, '{}', 'all', 'called by its views to list living workers'),
  ('auditor', 'audit', true, '{SELECT}', 'all', 'checks the invariants'),
  ('auditor', 'caller', false, '{}', 'all', 'called by policies on the tables of its views');
comment on view audit.intended is 'Privileges of each role: whether it may enter a schema, its privileges on relations there, and its functions. executes is all, entries (api.handle, what counts before it, and api/process.sql), actions, commands (of the command line) or none. actions: functions that write nothing, that require a token of scope act (or the login cli), or that open and end a session with a token.';
grant select on audit.intended to auditor;

-- Columns that no API key may read, recognised by their names.
create view audit.secret_columns as
select attribute.attrelid, attribute.attnum, tables.name || '.' || quote_ident(attribute.attname) as name
from audit.tables
join pg_catalog.pg_attribute attribute on attribute.attrelid = tables.oid
where tables.schema = 'app' and attribute.attnum > 0 and not attribute.attisdropped
  and attribute.attname ~ '(^|_)(digest|sealed|secret|password|token)(_|$)';
comment on view audit.secret_columns is 'Columns of digests and sealed values.';
grant select on audit.secret_columns to auditor;
