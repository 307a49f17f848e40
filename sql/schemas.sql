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

create schema caller;
comment on schema caller is 'Identity of the caller: settings of the transaction, authentication.';
grant usage on schema caller to tenant, authenticator, searcher, operator;
create schema errors;
comment on schema errors is 'Refusals with the codes of the contract.';
grant usage on schema errors to tenant;
create schema names;
comment on schema names is 'Rules for names of rows and people.';
grant usage on schema names to tenant;
create schema times;
comment on schema times is 'The clock, and ids and partitions by time.';
grant usage on schema times to tenant;
create schema limits;
comment on schema limits is 'Limits of organisations, payment and rate limits: definitions, counts, enforcement.';
grant usage on schema limits to tenant, authenticator;
create schema policies;
comment on schema policies is 'Conditions that policies share.';
grant usage on schema policies to tenant;
create schema search;
comment on schema search is 'Comparison of text, and full-text search of memories.';
grant usage on schema search to tenant, searcher;
create schema rows;
comment on schema rows is 'Rows as JSON: one view per resource, read with the policies of the caller, and the format of values and pages.';
grant usage on schema rows to tenant, searcher;
create schema service;
comment on schema service is 'The service as a whole: readiness, request counts, retention, the channel of run events.';
grant usage on schema service to tenant;
create schema models;
comment on schema models is 'Models that executors serve.';
grant usage on schema models to tenant;
create schema runs;
comment on schema runs is 'Starting, resuming and cancelling runs, for operations, routines, hooks, executors and operators.';
grant usage on schema runs to tenant;
create schema erasure;
comment on schema erasure is 'Erasure of memories and of their copies.';
grant usage on schema erasure to tenant;
create schema triggers;
comment on schema triggers is 'Trigger functions and their helpers: states, events, audit log.';
create schema jobs;
comment on schema jobs is 'Functions for the worker.';
grant usage on schema jobs to worker;
create schema runner;
comment on schema runner is 'Functions for executors of runs.';
grant usage on schema runner to executor;
create schema operator;
comment on schema operator is 'Views and functions for operators.';
grant usage on schema operator to operator, cli;
create schema api_private;
comment on schema api_private is 'Helpers of operations. Operator actions with the same effect use them too.';
grant usage on schema api_private to tenant;
create schema api;
comment on schema api is 'The operations of the contract, one function each, and their entry points.';
grant usage on schema api to server, tenant;
create schema audit;
comment on schema audit is 'The security audit: privileges, their reasons, and violations of invariants.';
grant usage on schema audit to auditor;

-- PUBLIC may execute no function created from here on. Only default privileges without a schema can revoke that.
alter default privileges revoke execute on functions from public;

-- Privileges granted by hand, to our roles or to PUBLIC, do not survive a rebuild.
revoke all on all tables in schema app from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
revoke all on schema app from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
revoke all on all tables in schema partitions from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
revoke all on schema partitions from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
revoke all on schema extensions from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
grant usage on schema extensions to searcher;
