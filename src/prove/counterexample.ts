/**
 * A row that refutes a statement, as a script for psql. It creates the rows in a transaction that it rolls back, becomes the role
 * with the settings of the example, and tries the command. PostgreSQL then decides whether the example is real.
 */
import { type Client, DatabaseError } from "pg";
import { type Catalogue, type Table, tableNamed } from "./catalogue.ts";
import type { Row } from "./problem.ts";
import { type Example, privilegeOf, type Result } from "./prove.ts";
import { isGiven, quoted, sampleOf, sqlValue } from "./values.ts";

/** `attempt` runs as the role. Where it does not tell, `admitted` does, as a superuser. */
type Script = { settings: string[]; rows: string[]; attempt: string; admitted?: string };

export function scriptOf(catalogue: Catalogue, result: Result): string {
  const { settings, rows, attempt, admitted } = parts(catalogue, result);
  return [
    `-- ${result.role}, ${result.command} on ${result.table}. As a superuser, in a copy of the database: rows are locked until the rollback.`,
    ...["begin;", "set local session_replication_role = replica; -- no triggers and references"],
    ...rows.map((row) => `${row};`),
    ...settings.map((setting) => `${setting};`),
    `set local role ${result.role};`,
    `${attempt};`,
    ...(admitted ? ["reset role;", `${admitted};`] : []),
    "rollback;",
  ].join("\n");
}

export type Decision = "real" | "not real" | `not decided: ${string}`;

/** Lets PostgreSQL decide. @param admin a superuser */
export async function decide(admin: Client, catalogue: Catalogue, result: Result): Promise<Decision> {
  const { settings, rows, attempt, admitted } = parts(catalogue, result);
  await admin.query("begin");
  try {
    await admin.query("set local lock_timeout = '2s'; set local session_replication_role = replica");
    for (const statement of [...rows, ...settings]) await admin.query(statement);
    await admin.query(`set local role ${result.role}`);
    let { rows: found } = await admin.query<{ admitted: boolean }>(attempt);
    await admin.query("reset role");
    if (admitted) ({ rows: found } = await admin.query<{ admitted: boolean }>(admitted));
    return (found[0]?.admitted ?? true) ? "real" : "not real";
  } catch (error) {
    if (error instanceof DatabaseError && /row-level security/.test(error.message)) return "not real";
    if (!(error instanceof DatabaseError)) throw error;
    return `not decided: ${error.message}`;
  } finally {
    await admin.query("rollback");
  }
}

function parts(catalogue: Catalogue, result: Result): Script {
  const { example, table: name, role, command } = result;
  const table = tableNamed(catalogue, name);
  if (!example || !table) throw new Error("The result has no example.");
  const { before, after, problem } = example;
  const others = [...problem.exists.values()].flatMap((entry) =>
    example.values.get(entry.term.slice(1, -1)) === true ? entry.rows : [],
  );
  const rows = others.map((row) => `${inserted(catalogue, example, row)} on conflict do nothing`);
  if (after && !before) rows.push(...defaults(catalogue, table, role));
  if (before) {
    rows.push(
      `create temporary table example (place tid, part oid) on commit drop`,
      `with example_row as (${inserted(catalogue, example, before)} returning ctid, tableoid)
  insert into example select * from example_row`,
    );
  }
  return {
    settings: settingsOf(catalogue, example),
    rows,
    ...attemptOf(catalogue, table, role, command, example, before, after),
  };
}

function attemptOf(
  catalogue: Catalogue,
  table: Table,
  role: string,
  command: string,
  example: Example,
  before?: Row,
  after?: Row,
): Pick<Script, "attempt" | "admitted"> {
  const isGone = `select not exists (
  select from ${table.name} row, example where row.ctid = example.place and row.tableoid = example.part
) as admitted`;
  const allowed =
    privilegeOf(catalogue, role, table.name, command as "select") ?? table.columns.map(({ name }) => name);
  const given = (row: Row, names: string[]) =>
    names.flatMap((name): [string, string][] => {
      const value = columnValue(catalogue, example, row, name);
      return value === undefined ? [] : [[name, value]];
    });
  if (command === "insert" && after) return { attempt: inserted(catalogue, example, after, allowed) };
  if (command === "update" && after) {
    const changed = given(after, allowed);
    const [first = "id"] = allowed;
    const list =
      changed.length > 0 ? changed.map(([name, value]) => `${name} = ${value}`).join(", ") : `${first} = default`;
    return { attempt: `update ${table.name} set ${list}`, admitted: isGone };
  }
  if (command === "delete") return { attempt: `delete from ${table.name}`, admitted: isGone };
  // The ids are of this example only.
  const ids = before ? given(before, allowed).filter(([name]) => /(^|_)id$/.test(name)) : [];
  const where =
    ids.map(([name, value]) => (value === "null" ? `${name} is null` : `${name} = ${value}`)).join(" and ") || "true";
  return {
    attempt: `select count(*) > 0 as admitted from ${table.name} where ${where}`,
  };
}

/** An empty text is often forbidden, and an example seldom needs it. */
function columnValue(catalogue: Catalogue, example: Example, row: Row, name: string): string | undefined {
  const value = row.columns[name] && sqlValue(example, row.columns[name], catalogue);
  return value === "''" ? undefined : value;
}

/** Values of the example, and samples for what the table needs besides. @param allowed all columns by default */
function inserted(catalogue: Catalogue, example: Example, row: Row, allowed?: string[]): string {
  const columns = new Map<string, string>();
  for (const { name, type, needed, generated } of tableNamed(catalogue, row.table)?.columns ?? []) {
    const found = row.columns[name];
    if (generated || !found || (allowed && !allowed.includes(name))) continue;
    const value = columnValue(catalogue, example, row, name);
    if (value !== undefined && !(needed && value === "null")) columns.set(name, value);
    else if (needed || isGiven(example, found)) columns.set(name, sampleOf(type, name, catalogue));
  }
  return `insert into ${row.table} (${[...columns.keys()].join(", ")}) values (${[...columns.values()].join(", ")})`;
}

/** Triggers set these columns in a real insert, and the role has no privilege on them. */
function defaults(catalogue: Catalogue, table: Table, role: string): string[] {
  const allowed = privilegeOf(catalogue, role, table.name, "insert");
  return table.columns
    .filter(({ name, needed }) => needed && allowed && !allowed.includes(name))
    .map(
      ({ name, type }) =>
        `alter table ${table.name} alter column ${name} set default ${sampleOf(type, name, catalogue)}`,
    );
}

function settingsOf(catalogue: Catalogue, example: Example): string[] {
  return [...example.problem.settings].map(([name, { text, casts }]) => {
    const [cast] = [...casts.values()];
    const own = sqlValue(example, text, catalogue);
    const value =
      name === "caller.credential"
        ? credentialOf(example, catalogue)
        : own === "''" || own === "null" || !cast
          ? own
          : sqlValue(example, cast, catalogue);
    return `select set_config(${quoted(name)}, ${value === undefined || value === "null" ? "''" : value}, true)`;
  });
}

/** `key <id>`, or the class that the example needs, with the word of a session that another person opened. */
function credentialOf(example: Example, catalogue: Catalogue): string {
  const { values, problem } = example;
  const setting = problem.settings.get("caller.credential");
  if (!setting || sqlValue(example, setting.text, catalogue) === "null") return "''";
  const [kind = "key "] = [...values].flatMap(([name, value]) =>
    value === 1 && /^starts with /.exec(name) ? [name.slice(12)] : [],
  );
  const cast = setting.casts.get("uuid");
  const id = (cast && sqlValue(example, cast, catalogue)) ?? quoted("00000000-0000-7000-8000-000000000000");
  return `${quoted(kind)} || ${id}${values.get("~~ % for_another") === 1 ? " || ' for_another'" : ""}`;
}
