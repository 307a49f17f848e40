/*
 * Every migration drops and rebuilds the schemas that hold only definitions: a deleted file deletes its functions.
 * Tables are in schema app, which is never dropped; their policies, triggers and grants are rebuilt as well.
 */
do $$
declare
  leftover record;
begin
  for leftover in
    select policy.polname as name, policy.polrelid::regclass as of_table
    from pg_catalog.pg_policy policy
    join pg_catalog.pg_class class on class.oid = policy.polrelid
    where class.relnamespace in ('app'::regnamespace, 'partitions'::regnamespace, 'graphile_worker'::regnamespace)
  loop
    execute format('drop policy %I on %s', leftover.name, leftover.of_table);
  end loop;
end
$$;

drop schema if exists
  caller, errors, names, times, limits, policies, search, rows, service, models, runs, erasure, triggers, jobs,
  runner, operator, api_private, api, audit
  cascade;

do $$
declare
  part record;
begin
  for part in
    select * from (
      values
        ('caller', 'tenant, authenticator, searcher, operator', 'Identity of the caller: settings of the transaction, authentication.'),
        ('errors', 'tenant', 'Refusals with the codes of the contract.'),
        ('names', 'tenant, searcher, operator', 'Rules for names of rows and people, and their comparison.'),
        ('times', 'tenant', 'The clock, and ids and partitions by time.'),
        ('limits', 'tenant, authenticator', 'Limits of organisations, payment and rate limits: definitions, counts, enforcement.'),
        ('policies', 'tenant', 'Conditions that policies share.'),
        ('search', 'tenant, searcher', 'Comparison of text, and full-text search of memories.'),
        ('rows', 'tenant, searcher', 'Rows as JSON: one view per resource, read with the policies of the caller, and the format of values and pages.'),
        ('service', 'tenant', 'The service as a whole: readiness, request counts, retention, the channel of run events.'),
        ('models', 'tenant', 'Models that executors serve.'),
        ('runs', 'tenant', 'Starting, resuming and cancelling runs, for operations, routines, hooks, executors and operators.'),
        ('erasure', 'tenant', 'Erasure of memories and of their copies.'),
        ('triggers', null, 'Trigger functions and their helpers: states, events, audit log.'),
        ('jobs', 'worker', 'Functions for the worker.'),
        ('runner', 'executor', 'Functions for executors of runs.'),
        ('operator', 'operator, cli', 'Views and functions for operators.'),
        ('api_private', 'tenant', 'Helpers of operations. Operator actions with the same effect use them too.'),
        ('api', 'server, tenant', 'The operations of the contract, one function each, and their entry points.'),
        ('audit', 'auditor', 'The security audit: privileges, their reasons, and violations of invariants.')
    ) schema (name, readers, description)
  loop
    execute format('create schema %I', part.name);
    execute format('comment on schema %I is %L', part.name, part.description);
    if part.readers is not null then
      execute format('grant usage on schema %I to %s', part.name, part.readers);
    end if;
  end loop;
end
$$;

-- PUBLIC may execute no function created from here on. Only default privileges without a schema can revoke that.
alter default privileges revoke execute on functions from public;

-- Privileges granted by hand, to our roles or to PUBLIC, do not survive a rebuild.
revoke all on all tables in schema app, partitions from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
-- A table that belonged to another role for a while has turned that role's grants on columns into grants to owner.
do $$
declare
  given record;
begin
  for given in
    select attribute.attrelid::regclass as of_table, attribute.attname as name
    from pg_catalog.pg_attribute attribute
    join pg_catalog.pg_class class on class.oid = attribute.attrelid and class.relnamespace = 'app'::regnamespace,
      pg_catalog.aclexplode(attribute.attacl) item
    where item.grantee = class.relowner and not attribute.attisdropped
    group by attribute.attrelid, attribute.attname
  loop
    execute format('revoke all (%I) on %s from owner', given.name, given.of_table);
  end loop;
end
$$;

revoke all on schema app, partitions, extensions from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
grant usage on schema extensions to searcher;
