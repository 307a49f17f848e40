/** The roles of docs/specification/portal.md#roles, as its table states them. */
import { readFileSync } from "node:fs";
import type { Operation } from "../../src/contract/operation.ts";
import { resources } from "../../src/contract/resources.ts";

const page = readFileSync(new URL("../../docs/specification/portal.md", import.meta.url), "utf8");

type Row = { operations: string; admin: string; member: string; another: string };

export const roleTable: Row[] = [...page.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)]
  .filter(([, , , , another]) => /^(?:as the role|no|pause|team bots)$/.test(another ?? ""))
  .map(([, operations = "", admin = "", member = "", another = ""]) => ({ operations, admin, member, another }));

export type Role = "owner" | "admin" | "member";

/** Operations of the portal's sections. */
export const sectionOperations: Operation[] = resources.flatMap(({ section, operations }) =>
  section ? [...operations] : [],
);

/** The row that names the operation, else the row of its scope. @throws Error without one */
function rowOf({ name, method, scope }: Operation): Row {
  const general = scope === "admin" ? "scope `admin`" : method === "get" ? "scope `read`" : undefined;
  const row =
    roleTable.find(({ operations }) => operations.includes(`\`${name}\``)) ??
    roleTable.find(({ operations }) => general && operations.includes(general));
  if (!row) throw new Error(`The table has no row for ${name}.`);
  return row;
}

/** What a session may do by the table: the text of its role's cell, unless the column for another says less. */
export function cellOf(operation: Operation, role: Role, forAnother: boolean): string {
  const { admin, member, another } = rowOf(operation);
  const own = role === "member" ? member : admin;
  return forAnother && another !== "as the role" && own !== "no" ? another : own;
}
