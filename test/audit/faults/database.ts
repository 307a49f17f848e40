/** Faults: the database itself. */
import { executor, type Faults, inDatabase } from "./fault.ts";

const object = "database :database";

export const faultsOfDatabase: Faults = {
  database_differs: {
    "another owner": { plant: `create role outsider; ${inDatabase("alter database %I owner to outsider")}`, object },
    "a template": { plant: inDatabase("alter database %I is_template true"), object },
    "another locale": {
      plant: inDatabase("update pg_database set datcollate = ''de_DE'' where datname = %L"),
      object,
      cure: inDatabase("update pg_database set datcollate = ''C'' where datname = %L"),
    },
    "a collation of another version": {
      plant: inDatabase("update pg_database set datcollversion = ''0'' where datname = %L"),
      object,
      cure: inDatabase("update pg_database set datcollversion = ''1'' where datname = %L"),
    },
    "a template for new databases that can be changed": {
      plant: "alter database template0 allow_connections true",
      object: "database template0",
    },
    "a login that may not connect": { plant: inDatabase("revoke connect on database %I from runner"), object },
    "no connections": { plant: inDatabase("alter database %I connection limit 0"), object },
  },
  database_privilege: {
    "server creating schemas": { plant: inDatabase("grant create on database %I to server"), object },
    "an executor creating schemas and temporary tables": {
      plant: `${executor}; ${inDatabase("grant create, temporary on database %I to executor_careless")}`,
      object,
    },
    "executors of all databases connecting": { plant: inDatabase("grant connect on database %I to executor"), object },
    "everybody connecting": { plant: inDatabase("grant connect on database %I to public"), object },
    "everybody connecting to the cluster's own database": {
      plant: "grant connect on database postgres to public",
      object: "database postgres",
    },
    "an executor connecting to the template of new databases": {
      plant: `${executor}; grant connect on database template1 to executor_careless`,
      object: "database template1",
    },
    "a foreign login connecting": {
      plant: `create role outsider login; ${inDatabase("grant connect on database %I to outsider")}`,
      object,
    },
  },
};
