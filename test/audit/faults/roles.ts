/** Faults of roles, of definitions and of the list of exceptions. */
import type { Faults } from "./fault.ts";

const role = (name: string, set: string, unset: string) => ({
  plant: `alter role ${name} ${set}`,
  object: `role ${name}`,
  cure: `alter role ${name} ${unset}`,
});

export const faultsOfRoles: Faults = {
  role_missing: {
    "one that was renamed": {
      plant: "alter role searcher rename to seeker",
      object: "role searcher",
      cure: "alter role seeker rename to searcher",
    },
  },
  role_above_walls: {
    "a superuser": { plant: "alter role owner superuser", object: "role owner" },
    "one that bypasses them": { plant: "alter role tenant bypassrls", object: "role tenant" },
    "one that makes others": { plant: "alter role operator createrole", object: "role operator" },
    "an executor's login": {
      plant: `create role executor_careless login superuser;
        comment on role executor_careless is 'Botstead executor'`,
      object: "role executor_careless",
    },
    "a login that isn't ours": {
      plant: `create role stranger login bypassrls;
        do $$ begin execute format('grant connect on database %I to stranger', current_database()); end $$`,
      object: "role stranger",
    },
  },
  role_logs_in: {
    tenant: { plant: "alter role tenant login", object: "role tenant" },
    authenticator: { plant: "alter role authenticator login", object: "role authenticator" },
    searcher: { plant: "alter role searcher login", object: "role searcher" },
  },
  membership: {
    "server made owner": { plant: "grant owner to server", object: "role server" },
    "a role of the cluster's given to tenant": { plant: "grant pg_read_all_data to tenant", object: "role tenant" },
    "owner working as tenant without becoming it": {
      plant: "grant tenant to owner with inherit true",
      object: "role owner",
      cure: "grant tenant to owner with inherit false",
    },
    "a stranger made tenant": {
      plant: "create role stranger login; grant tenant to stranger",
      object: "role stranger",
    },
    "an executor that may become runner": {
      plant: `create role executor_careless login; comment on role executor_careless is 'Botstead executor';
        grant runner to executor_careless with set true`,
      object: "role executor_careless",
    },
  },
  role_settings: {
    "one that was changed": role("server", "set statement_timeout = '0'", "set statement_timeout = '3000'"),
    "one that went": role("worker", "reset jit", "set jit = 'off'"),
    "one more": role("server", "set row_security = off", "reset row_security"),
    "one more for this database": {
      plant:
        "do $$ begin execute format('alter role server in database %I set work_mem = %L', current_database(), '1GB'); end $$",
      object: "role server",
      cure: "do $$ begin execute format('alter role server in database %I reset work_mem', current_database()); end $$",
    },
    "one for everybody in this database": {
      plant: "do $$ begin execute format('alter database %I set row_security = off', current_database()); end $$",
      object: "database :database",
      cure: "do $$ begin execute format('alter database %I reset row_security', current_database()); end $$",
    },
  },
  definition_changed: {
    "a function's body": {
      plant:
        "create or replace function jobs.least_id(moment timestamptz) returns uuid language sql immutable set search_path = '' as 'select null::uuid'",
      object: "function jobs.least_id(timestamp with time zone)",
      cure: null,
    },
    "a policy's condition": {
      plant: "alter policy select_alive on app.executors using (false)",
      object: "policy select_alive on app.executors",
      cure: "alter policy select_alive on app.executors using (true)",
    },
    "a policy's words": {
      plant: "comment on policy select_visible on app.bots is 'All bots.'",
      object: "policy select_visible on app.bots",
      cure: "comment on policy select_visible on app.bots is 'The organisation''s bots of the team, and the caller''s own personal ones.'",
    },
    "a column more for tenant": {
      plant: "grant update (kind) on app.steps to tenant",
      object: "column app.steps.kind",
      cure: "revoke update (kind) on app.steps from tenant",
    },
    "a column's default": {
      plant: "alter table app.invitations alter role set default 'owner'",
      object: "column app.invitations.role",
      cure: "alter table app.invitations alter role drop default",
    },
    "a constraint that went": {
      plant: "alter table app.bots drop constraint bots_name_check",
      object: "constraint bots_name_check on app.bots",
      cure: null,
    },
    "an index that somebody made": {
      plant: "create index quick on app.runs (state)",
      object: "index app.quick",
      cure: "drop index app.quick",
    },
    "a trigger that somebody made": {
      plant: `create trigger spy after insert on app.messages for each row execute function triggers.tg_messages__tell()`,
      object: "trigger spy on app.messages",
      cure: "drop trigger spy on app.messages",
    },
    "a view's text": {
      plant:
        "create or replace view operator.platform_keys as select id, upper(name) as name, prefix, created_at, expires_at, revoked_at from app.platform_keys",
      object: "relation operator.platform_keys",
      cure: "create or replace view operator.platform_keys as select id, name, prefix, created_at, expires_at, revoked_at from app.platform_keys",
    },
    "a view's setting": {
      plant: "alter view rows.runs set (security_barrier = true)",
      object: "relation rows.runs",
      cure: "alter view rows.runs reset (security_barrier)",
    },
    "a function that somebody granted": {
      plant: "grant execute on function jobs.queue_mail to worker",
      object: "function jobs.queue_mail(uuid,uuid)",
      cure: "revoke execute on function jobs.queue_mail from worker",
    },
    "a value more of a type": {
      plant: "alter type app.key_scope add value 'all'",
      object: "type app.key_scope",
      cure: null,
    },
  },
  stale_exception: {
    "one that nothing needs any more": {
      plant: "revoke execute on function jobs.readiness from tenant",
      object: "function jobs.readiness()",
      cure: "grant execute on function jobs.readiness to tenant",
    },
  },
};
