/** Which files some work passes: their functions run each time that it is repeated. Timers run in some repetitions only. */
import { globSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./worker.ts";

const folder = fileURLToPath(new URL("../../", import.meta.url));
const repetitions = 20;
const page = readFileSync(`${folder}docs/architecture.md`, "utf8");

/** The files in these columns of the table under a heading of docs/architecture.md, sorted. */
export function listed(heading: string, ...columns: number[]): string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));
  const cells = rows.flatMap((row) => columns.map((column) => row.split("|")[column] ?? ""));
  return cells.flatMap((cell) => [...cell.matchAll(/`((?:src|sql)\/[^`]+)`/g)].map(([, file = ""]) => file)).sort();
}

/** The files of src, by the coverage of V8. Work in other processes does not count. */
export async function sourcesOf(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  let passed: Set<string> | undefined;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    await session.post("Profiler.takePreciseCoverage"); // its counts begin at 0 again
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const called = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
    const files = new Set(called.map(({ url }) => url.replace(/^file:\/\/|\?.*$/g, "").replace(folder, "")));
    passed = passed ? passed.intersection(files) : files;
  }
  session.disconnect();
  return new Set([...(passed ?? [])].filter((file) => file.startsWith("src/")));
}

/** Counts calls of functions in sessions that begin later. */
export const countFunctions = (db: TestDatabase) =>
  db.sql(`do $$ begin execute format('alter database %I set track_functions = %L', current_database(), 'all'); end $$`);

/** The files of sql, by the counts of PostgreSQL. It does not count functions of one expression, which it inlines. */
export async function definitionsOf(db: TestDatabase, work: () => Promise<unknown>): Promise<Set<string>> {
  await counts(db);
  await db.sql("select pg_stat_reset()");
  for (let repetition = 0; repetition < repetitions; repetition += 1) await work();
  const called = (await counts(db)).filter(({ calls }) => calls >= repetitions);
  return new Set(called.map(({ name }) => fileOf(name)));
}

/** Sessions write their counts at their end. */
async function counts(db: TestDatabase): Promise<{ name: string; calls: number }[]> {
  const others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await db.sql(`select pg_terminate_backend(pid) ${others}`);
  await eventually(async () => (await db.sql(`select ${others}`)).length === 0);
  return db.sql(
    "select schemaname || '.' || funcname as name, sum(calls)::int as calls from pg_stat_user_functions group by 1",
  );
}

const definitions = globSync("sql/**/*.sql", { cwd: folder }).map((file) => ({
  file,
  text: readFileSync(`${folder}${file}`, "utf8"),
}));

/** Loops make the triggers of logged tables and of limits: their names have a suffix or a prefix of the loop. */
function fileOf(name: string): string {
  const [, prefix = "", suffix = ""] = /\.([a-z]+_)(?:.*?(__\w+))?/.exec(name) ?? [];
  const marks = [`create function ${name}(`, `'function ${name}'`, `'${suffix}'`, `'${prefix}'`];
  const found = marks.flatMap((mark) => definitions.filter(({ text }) => text.includes(mark)));
  if (!found[0]) throw new Error(`No file of sql defines ${name}.`);
  return found[0].file;
}
