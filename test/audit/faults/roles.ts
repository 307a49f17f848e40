/** Faults: roles. */
import { executor, type Faults } from "./fault.ts";

const role = (name: string, set: string) => ({ plant: `alter role ${name} ${set}`, object: `role ${name}` });
const foreign = (does: string) => ({ plant: `create role outsider login; ${does}`, object: "role outsider" });

export const faultsOfRoles: Faults = {
  role_missing: {
    "a renamed role": {
      plant: "alter role searcher rename to seeker",
      object: "role searcher",
      cure: "alter role seeker rename to searcher",
    },
  },
  role_differs: {
    "a superuser": role("owner", "superuser"),
    "a role with bypassrls": role("tenant", "bypassrls"),
    "a role with createrole": role("operator", "createrole"),
    "a role with createdb": role("owner", "createdb"),
    "a role with replication": role("auditor", "replication"),
    "a role that does not inherit": role("runner", "noinherit"),
    "a group that logs in": role("tenant", "login"),
    "a login that cannot log in": role("server", "nologin"),
    "a login without connections": role("server", "connection limit 0"),
    "an expired login": role("server", "valid until '2020-01-01'"),
    "an executor's login": {
      plant: `${executor}; alter role executor_careless superuser connection limit 20`,
      object: "role executor_careless",
    },
    "an executor without a connection limit": { plant: executor, object: "role executor_careless" },
    "a role with the comment of another program": { plant: "comment on role server is 'Ours'", object: "role server" },
    "a role without a comment": { plant: "comment on role tenant is null", object: "role tenant" },
    "the role that created the cluster": role("postgres", "nologin connection limit 0 valid until '2020-01-01'"),
  },
  role_powerful: {
    "a superuser": foreign("alter role outsider superuser"),
    "a superuser that cannot log in": { plant: "create role outsider superuser", object: "role outsider" },
    "a login with replication": foreign("alter role outsider replication"),
    "a login with bypassrls": foreign("alter role outsider bypassrls"),
    "a login with createrole": foreign("alter role outsider createrole"),
    "a predefined role as superuser": {
      plant: "update pg_authid set rolsuper = true, rolcanlogin = true where rolname = 'pg_monitor'",
      object: "role pg_monitor",
    },
    "a predefined role that logs in": {
      plant: "update pg_authid set rolcanlogin = true where rolname = 'pg_monitor'",
      object: "role pg_monitor",
    },
  },
  executor_not_minted: {
    "an executor that no operator minted": {
      plant: `${executor}; delete from app.operator_commands where action = 'mint_executor'`,
      object: "role executor_careless",
      cure: "drop role executor_careless",
    },
    "an executor whose revocation is the newest entry": {
      plant: `${executor}; insert into app.operator_commands (operator, action, arguments)
        values ('Tests', 'revoke_executor', '{"name": "careless"}')`,
      object: "role executor_careless",
      cure: "drop role executor_careless",
    },
  },
  membership_missing: {
    "runner without executor": { plant: "revoke executor from runner", object: "role runner" },
    "owner that may not act as tenant": { plant: "revoke tenant from owner", object: "role owner" },
    "an executor's login without executor": {
      plant: `${executor}; grant executor_careless to owner with inherit true, set false`,
      object: "role executor_careless",
    },
  },
  membership: {
    "server as member of owner": { plant: "grant owner to server", object: "role server" },
    "tenant as member of a predefined role": { plant: "grant pg_read_all_data to tenant", object: "role tenant" },
    "owner inheriting tenant": {
      plant: "grant tenant to owner with inherit true",
      object: "role owner",
      cure: "grant tenant to owner with inherit false",
    },
    "a foreign role as member of tenant": foreign("grant tenant to outsider"),
    "a foreign role that only administers owner": foreign(
      "grant owner to outsider with admin true, inherit false, set false; alter role outsider createrole",
    ),
    "a foreign role that ends sessions": foreign("grant pg_signal_backend to outsider"),
    "a foreign role through a group": {
      plant:
        "create role many; grant pg_write_server_files to many; create role outsider login; grant many to outsider",
      object: "role outsider",
    },
    "a foreign role as member of a superuser": {
      plant: "create role outsider login; grant postgres to outsider",
      object: "role outsider",
    },
    "a predefined role as member of another": {
      plant: "grant pg_execute_server_program to pg_monitor",
      object: "role pg_monitor",
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
};
