/** Faults of roles. */
import { executor, type Faults } from "./fault.ts";

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
      plant: `${executor}; alter role executor_careless superuser`,
      object: "role executor_careless",
    },
    "a login that isn't ours": {
      plant: `create role stranger login bypassrls;
        do $$ begin execute format('grant connect on database %I to stranger', current_database()); end $$`,
      object: "role stranger",
    },
  },
  reaches_all: {
    "a login that reads all": {
      plant: `create role stranger login; grant pg_read_all_data to stranger;
        do $$ begin execute format('grant connect on database %I to stranger', current_database()); end $$`,
      object: "role stranger",
    },
    "a login that became so by way of a group": {
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
      plant: `${executor}; grant runner to executor_careless with set true`,
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
};
