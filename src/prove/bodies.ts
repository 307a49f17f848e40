/** The statements of a function: its queries and expressions, and which variable each fills. */
import type { Catalogue, SqlFunction } from "./catalogue.ts";
import { plpgsqlOf, statementsOf, type Tree } from "./parse.ts";

/**
 * `into`: the variables that a query fills, one for each of its columns, or one record. `reason`: why the statement is not
 * understood.
 */
export type Statement = { tree: Tree; into?: { fields: string[] } | { record: string } } | { reason: string };

export type Body = { statements: Statement[]; variables: { name: string; isRecord: boolean }[] };

/** @throws Error if PostgreSQL's parser refuses the body */
export function bodyOf(found: SqlFunction, catalogue: Catalogue): Body {
  if (found.body === null)
    return {
      statements: [{ reason: found.language === "c" ? "a function in C" : "its body is not kept as text" }],
      variables: [],
    };
  if (found.language === "sql")
    return { statements: statementsOf(found.body).map((tree) => ({ tree })), variables: [] };
  const tree = plpgsqlOf(withRecords(found.definition ?? "", catalogue));
  const statements: Statement[] = [];
  collect(tree.action, statements, tree.datums ?? []);
  const variables: Body["variables"] = [];
  for (const datum of tree.datums ?? []) {
    const { PLpgSQL_var: variable, PLpgSQL_rec: record } = datum;
    const name: string | undefined = (variable ?? record)?.refname;
    if (name) variables.push({ name, isRecord: record !== undefined });
    const value = (variable ?? record)?.default_val?.PLpgSQL_expr?.query;
    if (value !== undefined) statements.push(assignment(name ?? "", value));
  }
  return { statements, variables };
}

/** The parser does not know tables, so a variable of a table's row type is a record to it. */
function withRecords(definition: string, { tables }: Catalogue): string {
  const names = new Set(tables.map(({ name }) => name));
  return definition.replaceAll(
    /^(\s*\w+\s+(?:constant\s+)?)(\w+\.\w+)(?=\s*(?:;|:=|default))/gim,
    (all, before, type) => (names.has(type) ? `${before}record` : all),
  );
}

function assignment(name: string, value: string): Statement {
  return { tree: statementsOf(`select ${value}`)[0], into: { fields: [name.toLowerCase()] } };
}

/** Statements that run text, or read by a cursor. */
const dynamic: Record<string, string> = {
  PLpgSQL_stmt_dynexecute: "dynamic SQL",
  PLpgSQL_stmt_dynfors: "dynamic SQL",
  PLpgSQL_stmt_open: "a cursor",
  PLpgSQL_stmt_forc: "a cursor",
};

function collect(tree: Tree, statements: Statement[], datums: Tree[]): void {
  if (Array.isArray(tree)) for (const one of tree) collect(one, statements, datums);
  if (Array.isArray(tree) || tree === null || typeof tree !== "object") return;
  for (const [kind, node] of Object.entries<Tree>(tree)) {
    const reason = node?.dynquery ? "dynamic SQL" : dynamic[kind];
    if (reason) statements.push({ reason });
    if (kind === "PLpgSQL_stmt_foreach_a") {
      const { PLpgSQL_var: variable, PLpgSQL_rec: record } = datums[node.varno] ?? {};
      statements.push(assignment((variable ?? record)?.refname ?? "", "unknown.value"));
    }
    if (kind === "PLpgSQL_stmt_assign") {
      const [, name = "", value = ""] = /^\s*([\w.[\]"]+?)\s*:?=(.*)$/s.exec(node.expr.PLpgSQL_expr.query) ?? [];
      statements.push(assignment(name, value));
    } else if (kind === "PLpgSQL_stmt_execsql" || kind === "PLpgSQL_stmt_fors") {
      const query = (node.sqlstmt ?? node.query).PLpgSQL_expr.query;
      const target = node.target ?? node.var;
      for (const one of statementsOf(query))
        statements.push({ tree: one, ...(target ? { into: targetOf(target) } : {}) });
      collect(node.body, statements, datums);
    } else if (kind === "PLpgSQL_expr") {
      const text: string = node.query;
      for (const one of statementsOf(node.parseMode === 0 ? text : `select ${text}`)) statements.push({ tree: one });
    } else if (kind === "PLpgSQL_stmt_dynexecute" && node.target) {
      const target = targetOf(node.target); // any value
      for (const name of "fields" in target ? target.fields : [target.record])
        statements.push({ ...assignment(name, "unknown.value") });
    } else collect(node, statements, datums);
  }
}

const targetOf = ({ PLpgSQL_row: row, PLpgSQL_rec: record }: Tree): { fields: string[] } | { record: string } =>
  row ? { fields: row.fields.map(({ name }: Tree) => name) } : { record: record?.refname ?? "" };
