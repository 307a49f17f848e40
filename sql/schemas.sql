/*
 * Schemas that hold nothing but definitions are rebuilt from nothing: a file that is gone is a function that is gone.
 * The tables lie in schema app, which is never dropped; their policies, triggers and grants are definitions and go too.
 */
do $$
declare
  leftover record;
begin
  for leftover in
    select policy.polname as name, policy.polrelid::regclass as of_table
    from pg_catalog.pg_policy policy
    join pg_catalog.pg_class class on class.oid = policy.polrelid
    where class.relnamespace in ('app'::regnamespace, 'partitions'::regnamespace)
  loop
    execute format('drop policy %I on %s', leftover.name, leftover.of_table);
  end loop;
end
$$;

drop schema if exists caller, search, rows, triggers, jobs, runner, operator, api, audit cascade;

create schema caller;
comment on schema caller is 'Who is asking: settings of the transaction, the one function that fills them from a credential, what is counted of who calls, and how one is refused.';
create schema search;
comment on schema search is 'How claims are found by words, and what of them was found.';
create schema rows;
comment on schema rows is 'How a row looks as JSON: one view a resource, read under the policies of whoever asks.';
create schema triggers;
comment on schema triggers is 'What happens by itself when a row changes: quotas, states, announcements.';
create schema jobs;
comment on schema jobs is 'What the worker may call.';
create schema runner;
comment on schema runner is 'What an executor of runs may call.';
create schema operator;
comment on schema operator is 'What an operator may see and do.';
create schema api;
comment on schema api is 'The operations of the contract, one function each, and the way to them: api.handle.';
create schema audit;
comment on schema audit is 'What a DBA asks of the whole: who may do what, why, and whether all walls stand.';

-- PUBLIC may execute nothing that is created from here on. Only the form without a schema takes this right away.
alter default privileges revoke execute on functions from public;

-- From PUBLIC too: a privilege given by hand, to anyone of ours or to everybody, does not outlive a rebuild.
revoke all on all tables in schema app from public, server, tenant, authenticator, searcher, worker, runner, operator, auditor;
revoke all on schema app from public, server, tenant, authenticator, searcher, worker, runner, operator, auditor;
revoke all on all tables in schema partitions from public, server, tenant, authenticator, searcher, worker, runner, operator, auditor;
revoke all on schema partitions from public, server, tenant, authenticator, searcher, worker, runner, operator, auditor;
revoke all on schema extensions from public, server, tenant, authenticator, searcher, worker, runner, operator, auditor;
