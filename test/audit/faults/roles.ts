/** Faults: roles. */
import { roleSettings } from "../../../src/database/roles.ts";
import { executor, type Faults } from "./fault.ts";

const role = (name: string, set: string, unset: string) => ({
  plant: `alter role ${name} ${set}`,
  object: `role ${name}`,
  cure: `alter role ${name} ${unset}`,
});

export const faultsOfRoles: Faults = {
  role_missing: {
    "a renamed role": {
      plant: "alter role searcher rename to seeker",
      object: "role searcher",
      cure: "alter role seeker rename to searcher",
    },
  },
  role_bypasses_rls: {
    "a superuser": { plant: "alter role owner superuser", object: "role owner" },
    "a role with bypassrls": { plant: "alter role tenant bypassrls", object: "role tenant" },
    "a role with createrole": { plant: "alter role operator createrole", object: "role operator" },
    "an executor's login": {
      plant: `${executor}; alter role executor_careless superuser`,
      object: "role executor_careless",
    },
    "a foreign login": {
      plant: `create role stranger login bypassrls;
        do $$ begin execute format('grant connect on database %I to stranger', current_database()); end $$`,
      object: "role stranger",
    },
  },
  reaches_all: {
    "a login with pg_read_all_data": {
      plant: `create role stranger login; grant pg_read_all_data to stranger;
        do $$ begin execute format('grant connect on database %I to stranger', current_database()); end $$`,
      object: "role stranger",
    },
    "a login with pg_read_all_data through a group": {
      plant: `create role many; grant pg_write_server_files to many; create role stranger login; grant many to stranger;
        do $$ begin execute format('grant connect on database %I to stranger', current_database()); end $$`,
      object: "role stranger",
      cure: "revoke many from stranger",
    },
  },
  role_logs_in: {
    tenant: { plant: "alter role tenant login", object: "role tenant" },
    authenticator: { plant: "alter role authenticator login", object: "role authenticator" },
    searcher: { plant: "alter role searcher login", object: "role searcher" },
    executor: { plant: "alter role executor login", object: "role executor" },
  },
  membership: {
    "server as member of owner": { plant: "grant owner to server", object: "role server" },
    "tenant as member of a predefined role": { plant: "grant pg_read_all_data to tenant", object: "role tenant" },
    "owner inheriting tenant": {
      plant: "grant tenant to owner with inherit true",
      object: "role owner",
      cure: "grant tenant to owner with inherit false",
    },
    "a foreign role as member of tenant": {
      plant: "create role stranger login; grant tenant to stranger",
      object: "role stranger",
    },
    "an executor that may become executor": {
      plant: `${executor}; grant executor to executor_careless with set true`,
      object: "role executor_careless",
    },
    "an executor as member of runner": {
      plant: `${executor}; grant runner to executor_careless with inherit true, set false`,
      object: "role executor_careless",
    },
  },
  role_settings: {
    "one that was changed": role("server", "set statement_timeout = '0'", "set statement_timeout = '3000'"),
    "one that went": role("worker", "reset jit", "set jit = 'off'"),
    "one more": role("server", "set row_security = off", "reset row_security"),
    "an added setting for this database": {
      plant:
        "do $$ begin execute format('alter role server in database %I set work_mem = %L', current_database(), '1GB'); end $$",
      object: "role server",
      cure: "do $$ begin execute format('alter role server in database %I reset work_mem', current_database()); end $$",
    },
    "an executor without a connection limit": {
      plant: `${executor}; ${Object.entries(roleSettings.runner ?? {})
        .map(([name, value]) => `alter role executor_careless set "${name}" = '${value}'`)
        .join("; ")}`,
      object: "role executor_careless",
      cure: "alter role executor_careless connection limit 20",
    },
    "a setting for all roles in this database": {
      plant: "do $$ begin execute format('alter database %I set row_security = off', current_database()); end $$",
      object: "database :database",
      cure: "do $$ begin execute format('alter database %I reset row_security', current_database()); end $$",
    },
  },
};
