/** bench/notes/citus.md covers every table and function, and the sums of bench/notes/growth.md match its figures. */
import { readFileSync } from "node:fs";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { placed } from "../support/distribution.ts";

const page = readFileSync(new URL("../../bench/notes/growth.md", import.meta.url), "utf8");
const citus = readFileSync(new URL("../../bench/notes/citus.md", import.meta.url), "utf8");
const row = (begin: string, text = page) => text.split("\n").find((line) => line.startsWith(begin)) ?? "";
const cells = (line: string) => line.split("|").map((cell) => cell.replaceAll("*", "").trim());

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("citus.md assigns every function of a worker or executor to one organisation or to all", async () => {
  const functions = await db.sql<{ name: string }>(
    `select distinct schema.nspname || '.' || function.proname as name
     from pg_proc function
     join pg_namespace schema on schema.oid = function.pronamespace
     where schema.nspname = 'jobs' and has_function_privilege('worker', function.oid, 'execute')
       or schema.nspname = 'runner' and has_function_privilege('runner', function.oid, 'execute')`,
  );
  const said = [...citus.matchAll(/`((?:jobs|runner)\.\w+)`/g)].map(([, name]) => name);
  expect(said.toSorted()).toEqual(functions.map(({ name }) => name).toSorted()); // each once
});

test("citus.md lists tables as the tests expect them", () => {
  for (const [place, names] of Object.entries(placed)) {
    const listed = [...row(`| on ${place}`, citus).matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(listed.filter((name) => name !== "graphile_worker").toSorted()).toEqual(names.toSorted());
  }
});

test("the page repeats the measured times of calls", () => {
  const measured = readFileSync(new URL("../../bench/notes/results.md", import.meta.url), "utf8").split("\n");
  const costs = (begin: string) =>
    cells(measured.find((line) => line.startsWith(begin)) ?? "")
      .slice(-3, -1)
      .reverse();
  for (const [call, measurement] of [
    ["read one row", "| **GET one, Botstead**"],
    ["list 50", "| **list 50, Botstead**"],
    ["write", "| **POST, Botstead**"],
    ["start a run", "| **run started, Botstead**"],
    ["deliver", "| **deliveries, 10,000 pending drained**"],
  ] as const) {
    expect([call, cells(row(`| ${call} |`)).slice(3, 5)]).toEqual([call, costs(measurement)]);
  }
});

test("the sums match the figures", () => {
  const section = page.slice(page.indexOf("## Processor time"), page.indexOf("## Rows"));
  const lines = section.split("\n").filter((line) => /^\| [a-z]/.test(line));
  const sums = [0, 0];
  for (const line of lines) {
    const [, , perSecond = "", postgres = "", node = "", ...cores] = cells(line);
    for (const [index, each] of [postgres, node].entries()) {
      if (each === "") continue;
      const total = (Number(perSecond.replaceAll(",", "")) * Number(each.replaceAll(",", ""))) / 1_000_000;
      expect(Math.abs(total - Number(cores[index]))).toBeLessThan(0.006);
      sums[index] = (sums[index] ?? 0) + total;
    }
  }
  expect(lines).toHaveLength(6);
  expect(sums.map((sum) => sum.toFixed(1))).toEqual(cells(row("| **together**")).slice(5, 7));
});

test("the growth of a day matches the row sizes, and the growth of a year the day", () => {
  const bytes = (table: string) => Number(cells(row(`| \`${table}\``))[3]?.replaceAll(",", ""));
  // Million rows a day of each table, and how many days they are kept.
  const written: [string, Record<string, number>, number][] = [
    ["| memories |", { memories: 15 }, 365],
    ["| runs, and two", { runs: 5, messages: 10 }, 365],
    ["| two steps and six", { steps: 10, run_events: 30 }, 97],
    ["| events, two deliveries", { events: 5, deliveries: 10, delivery_attempts: 10 }, 37],
    ["| audit log", { audit_log: 25 }, 365],
    ["| idempotent responses", { idempotency_records: 20 }, 2],
  ];
  let terabytes = 0;
  for (const [line, tables, days] of written) {
    const gigabytes = Object.entries(tables).reduce((sum, [table, rows]) => sum + (rows * bytes(table)) / 1_000, 0);
    const [, , , aDay = "", , inAll = ""] = cells(row(line));
    const kept = (gigabytes * days) / 1_000;
    expect([line, aDay]).toEqual([line, gigabytes.toFixed(0)]);
    expect([line, Number.parseFloat(inAll)]).toEqual([line, Number(kept.toFixed(kept < 0.1 ? 2 : 1))]);
    terabytes += kept;
  }
  expect(page).toContain(`${Math.round(terabytes)} TB in the first year`);
});
