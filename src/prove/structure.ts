/** Ways to rows of an organisation past row-level security: tables without it, privileges that it does not cover, views. */
import type { Catalogue, Table } from "./catalogue.ts";
import { organisationCondition } from "./statements.ts";

export type Way = { object: string; role: string | null; what: string };

/** Roles that read all organisations through views, with the reason. Through tables they read nothing. */
const readersOfAll: Record<string, string> = {
  operator: "Operators serve all organisations.",
  cli: "Commands of operators serve all organisations.",
  auditor: "The views of schema audit show ids and counts of all organisations.",
};

/** Row-level security does not cover them. */
const uncovered = ["TRUNCATE", "REFERENCES", "TRIGGER"];

export function waysAround(catalogue: Catalogue): Way[] {
  return catalogue.tables.flatMap((table) =>
    table.kind === "table" ? waysOfTable(catalogue, table) : waysOfView(catalogue, table),
  );
}

function waysOfTable({ privileges, owners }: Catalogue, table: Table): Way[] {
  if (!organisationCondition(table)) return [];
  const object = table.name;
  return [
    ...(table.secured ? [] : [{ object, role: null, what: "has rows of organisations and no row-level security" }]),
    ...(table.secured && !table.forced
      ? [{ object, role: table.owner, what: "row-level security does not bind its owner" }]
      : []),
    ...privileges
      .filter((given) => given.table === object && uncovered.includes(given.privilege))
      .filter(({ role }) => !owners[table.owner]?.includes(role))
      .map(({ role, privilege }) => ({
        object,
        role,
        what: `has the privilege ${privilege}, which policies do not restrict`,
      })),
  ];
}

/** A view reads its tables as its owner, unless it has security_invoker. Predefined roles matter through their members. */
function waysOfView({ privileges, owners }: Catalogue, view: Table): Way[] {
  if (view.kind === "view" && view.asInvoker) return [];
  return [...new Set(privileges.filter((given) => given.table === view.name).map(({ role }) => role))]
    .filter((role) => !role.startsWith("pg_") && !owners[view.owner]?.includes(role) && !readersOfAll[role])
    .map((role) => ({ object: view.name, role, what: `reads the ${view.kind} with the rights of ${view.owner}` }));
}
