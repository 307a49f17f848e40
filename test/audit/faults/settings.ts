/** Faults: settings of roles and of databases. Settings of the server are in findings-server.test.ts. */
import { executor, type Faults, inDatabase } from "./fault.ts";

export const faultsOfSettings: Faults = {
  role_settings: {
    "one that was changed": { plant: "alter role server set statement_timeout = '0'", object: "role server" },
    "one that went": { plant: "alter role worker reset jit", object: "role worker" },
    "a pinned default that went": {
      plant: "alter role server reset default_transaction_isolation",
      object: "role server",
    },
    "a pinned default that was changed": {
      plant: "alter role worker set datestyle = 'SQL, DMY'",
      object: "role worker",
    },
    "one more": { plant: "alter role server set enable_hashjoin = off", object: "role server" },
    "triggers off for all roles": {
      plant: "alter role all set session_replication_role = replica",
      object: "role all",
    },
    "a caller for all roles": { plant: "alter role all set caller.role = 'owner'", object: "role all" },
    "one for this database": {
      plant: inDatabase("alter role server in database %I set work_mem = ''1GB''"),
      object: "role server",
    },
    "one for all roles in this database": {
      plant: inDatabase("alter database %I set row_security = off"),
      object: "database :database",
    },
    "triggers off for the administrator": {
      plant: "alter role postgres set session_replication_role = replica",
      object: "role postgres",
    },
    "a library for the administrator in this database": {
      plant: inDatabase("alter role postgres in database %I set session_preload_libraries = ''spy''"),
      object: "role postgres",
    },
    "triggers off for a foreign login that may connect": {
      plant: `create role outsider login; alter role outsider set session_replication_role = replica;
        ${inDatabase("grant connect on database %I to outsider")}`,
      object: "role outsider",
    },
    "none of a login of an executor": {
      plant: executor,
      object: "role executor_careless",
      cure: "drop role executor_careless",
    },
  },
};
