/**
 * What decides who reads and writes which rows, as the catalogue of a running database has it: tables, privileges, policies,
 * views, functions and triggers. A plain object, so that it can be saved and compared with a later one.
 */
import type { Client } from "pg";
import { functionsQuery, privilegesQuery, rolesQuery, tablesQuery, triggersQuery, typesQuery } from "./queries.ts";

export type Command = "select" | "insert" | "update" | "delete";
export type Column = {
  name: string;
  type: string;
  /** Never null. */
  required: boolean;
  /** An insert must give it. */
  needed: boolean;
  /** An insert cannot give it. */
  generated: boolean;
};
export type Policy = {
  name: string;
  /** `all` for every command. */
  command: Command | "all";
  permissive: boolean;
  /** The roles that it applies to, members of the named roles included. */
  roles: string[];
  using: string | null;
  check: string | null;
};
export type Table = {
  name: string;
  kind: "table" | "view" | "materialized view";
  owner: string;
  secured: boolean;
  forced: boolean;
  /** A view that reads its tables as the role that reads the view. */
  asInvoker: boolean;
  /** Of a view. */
  definition: string | null;
  columns: Column[];
  policies: Policy[];
  /** Conditions of check constraints, which hold for every row. */
  checks: string[];
};
/** Columns: null for all. */
export type Privilege = { role: string; table: string; privilege: string; columns: string[] | null };
export type SqlFunction = {
  name: string;
  identity: string;
  owner: string;
  language: string;
  definer: boolean;
  volatile: boolean;
  strict: boolean;
  returnsSet: boolean;
  isTrigger: boolean;
  returns: string;
  arguments: { name: string; type: string }[];
  /** Settings other than an empty search_path change what a body means. */
  otherSettings: boolean;
  /** Null where the catalogue keeps no text: C, and bodies of the SQL standard. */
  body: string | null;
  definition: string | null;
  executedBy: string[];
};
export type Trigger = { table: string; function: string; before: boolean; commands: Command[] };
export type Catalogue = {
  tables: Table[];
  privileges: Privilege[];
  functions: SqlFunction[];
  /** Functions of pg_catalog: result, whether each call can differ, and whether null gives null. */
  builtin: Record<string, { returns: string; volatile: boolean; strict: boolean }>;
  /** Labels of enumerations, in their order. */
  enumerations: Record<string, string[]>;
  triggers: Trigger[];
  /** By owner of tables: the roles that have its rights. */
  owners: Record<string, string[]>;
  /** Distinguishes two catalogues in one question. */
  version: string;
  /** Roles to which no policy applies. */
  unbound: string[];
};

/** @param client with an empty search_path, so that PostgreSQL prints qualified names */
export async function readCatalogue(client: Client): Promise<Catalogue> {
  const rows = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
  const builtin = await rows<{ name: string; returns: string; volatile: boolean; strict: boolean }>(typesQuery.builtin);
  const enumerations = await rows<{ name: string; labels: string[] }>(typesQuery.enumerations);
  return {
    tables: await rows<Table>(tablesQuery),
    privileges: await rows<Privilege>(privilegesQuery),
    functions: await rows<SqlFunction>(functionsQuery),
    builtin: Object.fromEntries(builtin.map(({ name, ...rest }) => [name, rest])),
    enumerations: Object.fromEntries(enumerations.map(({ name, labels }) => [name, labels])),
    triggers: await rows<Trigger>(triggersQuery),
    owners: Object.fromEntries(
      (await rows<{ owner: string; roles: string[] }>(rolesQuery.owners)).map(({ owner, roles }) => [owner, roles]),
    ),
    unbound: (await rows<{ name: string }>(rolesQuery.unbound)).map(({ name }) => name),
    version: "present",
  };
}

export const tableNamed = ({ tables }: Catalogue, name: string): Table | undefined =>
  tables.find((table) => table.name === name);

/** Undefined if overloads leave open which is called. */
export function functionNamed({ functions }: Catalogue, name: string, count: number): SqlFunction | undefined {
  const candidates = functions.filter((each) => each.name === name && each.arguments.length === count);
  return candidates.length === 1 ? candidates[0] : undefined;
}
