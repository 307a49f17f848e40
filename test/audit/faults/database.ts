/** Faults: the database itself. */
import { executor, type Faults, inDatabase } from "./fault.ts";

const object = "database :database";

export const faultsOfDatabase: Faults = {
  database_differs: {
    "another owner": { plant: `create role stranger; ${inDatabase("alter database %I owner to stranger")}`, object },
    "a template": { plant: inDatabase("alter database %I is_template true"), object },
    "no connections": { plant: inDatabase("alter database %I connection limit 0"), object },
  },
  database_privilege: {
    "server creating schemas": { plant: inDatabase("grant create on database %I to server"), object },
    "an executor creating schemas and temporary tables": {
      plant: `${executor}; ${inDatabase("grant create, temporary on database %I to executor_careless")}`,
      object,
    },
    "everybody connecting": { plant: inDatabase("grant connect on database %I to public"), object },
    "a foreign login connecting": {
      plant: `create role stranger login; ${inDatabase("grant connect on database %I to stranger")}`,
      object,
    },
  },
};
