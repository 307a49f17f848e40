/** Inserts, updates and deletes inside a function: the rows that they write. */
import type { Tree } from "./parse.ts";
import { newRow } from "./problem.ts";
import { type Around, add, from, outputsOf, type Query, queryOf, read, where, within } from "./queries-of-bodies.ts";
import { and, asScalar, equal, or, type Scalar } from "./terms.ts";

function insert(node: Tree, around: Around, query: Query): void {
  const { environment } = around;
  const name = `${node.relation.schemaname}.${node.relation.relname}`;
  const row = newRow(environment.problem, name, `inserted ${environment.problem.next()}`);
  const source = node.selectStmt ? queryOf(node.selectStmt, around) : undefined;
  if (source) add(query, { ...source, conditions: [] });
  const columns = node.cols ? node.cols.map(({ ResTarget }: Tree) => ResTarget.name) : Object.keys(row.columns);
  const given = columns.map((column: string, place: number) =>
    assigned(row.columns[column], source?.outputs[place]?.[1]),
  );
  const conditions = [...(source?.conditions ?? []), ...given];
  const { role } = environment;
  query.accesses.push({ command: "insert", row, role, isNew: true, conditions });
  const alias: string = node.relation.alias?.aliasname ?? node.relation.relname;
  const { onConflictClause: conflict } = node;
  if (conflict?.action === "ONCONFLICT_UPDATE") {
    const other = newRow(environment.problem, name, `conflicting ${environment.problem.next()}`);
    const key = (conflict.infer?.indexElems ?? []).flatMap(({ IndexElem }: Tree) =>
      assigned(other.columns[IndexElem?.name], row.columns[IndexElem?.name]),
    );
    const scopes = [{ [alias]: other, excluded: row }, ...environment.scopes];
    const scoped = { ...around, environment: { ...environment, scopes } };
    query.accesses.push({ command: "update", row: other, role, isNew: false, conditions: [...conditions, ...key] });
    for (const { ResTarget } of conflict.targetList ?? []) read(ResTarget.val, scoped, query);
    if (conflict.whereClause) read(conflict.whereClause, scoped, query);
  }
  const scoped = { ...around, environment: { ...environment, scopes: [{ [alias]: row }] } };
  query.conditions.push(...conditions);
  query.outputs = outputsOf(node.returningList ?? [], scoped);
}

/** Unknown values are any value. */
function assigned(column: Scalar | undefined, value: Scalar | undefined): string {
  if (!column || !value) return "true";
  return or(
    and(column.isNull, value.isNull),
    and(`(not ${column.isNull})`, `(not ${value.isNull})`, equal(column.value, value.value)),
  );
}

function change(kind: string, node: Tree, around: Around, query: Query): void {
  const { environment } = around;
  const { relation } = node;
  const row = newRow(
    environment.problem,
    `${relation.schemaname}.${relation.relname}`,
    `changed ${environment.problem.next()}`,
  );
  const scoped = from(node.fromClause ?? node.usingClause ?? [], around, query);
  const [scope = {}] = scoped.environment.scopes;
  scope[relation.alias?.aliasname ?? relation.relname] = row;
  query.accesses.push({
    command: kind === "DeleteStmt" ? "delete" : "update",
    row,
    role: environment.role,
    isNew: false,
    conditions: [],
  });
  where(node.whereClause, scoped, query);
  for (const { ResTarget } of node.targetList ?? []) {
    read(ResTarget.val, scoped, query);
    if (!["organisation_id", ...(row.table === "app.organisations" ? ["id"] : [])].includes(ResTarget.name)) continue;
    const written = newRow(environment.problem, row.table, `written ${environment.problem.next()}`);
    const value = assigned(
      written.columns[ResTarget.name],
      asScalar(environment.encode(ResTarget.val, scoped.environment)),
    );
    query.accesses.push({
      command: "update",
      row: written,
      role: environment.role,
      isNew: true,
      conditions: [...query.conditions, value],
    });
  }
  query.outputs = outputsOf(node.returningList ?? [], scoped);
  within(query);
}

export function write(kind: string, node: Tree, around: Around, query: Query): void {
  if (kind === "InsertStmt") insert(node, around, query);
  else change(kind, node, around, query);
}
