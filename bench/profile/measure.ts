/** `npm run bench -- profile`: processor time of each step of a GET, a POST and a run start, in Node and in PostgreSQL. */

import type { Data } from "../data.ts";
import { connections, load } from "../measure.ts";
import { figures, memoryInput, runRequest } from "../rows.ts";
import { startSystem } from "../systems.ts";
import { type Call, type Cost, profileSql, type SqlProfile } from "./functions.ts";
import { sharesOf } from "./steps.ts";

const columns = ["get", "post", "run"] as const;
type Column = (typeof columns)[number];
const titles: Record<Column, string> = { get: "GET one", post: "POST", run: "run start" };
const calls: Record<Column, Call> = {
  get: { operation: "get_memory", input: ({ memoryId }) => ({ id: memoryId }), keyed: false },
  post: { operation: "create_memory", input: () => memoryInput, keyed: true },
  run: {
    operation: "start_run",
    input: (target) => ({ ...JSON.parse(runRequest(target)), untrusted: false }),
    keyed: true,
  },
};
/** Steps below this time are left out. */
const minimumUs = 0.5;

/** Returns Markdown tables. @param seconds of each load */
export async function measureProfile(data: Data, seconds: number, log: (message: string) => void): Promise<string> {
  const api = await startSystem("botstead", data);
  const node = new Map<Column, Costs>();
  try {
    for (const id of columns) {
      const selected = figures(data).find((figure) => figure.id === id);
      if (!selected || !("requests" in selected)) throw new Error(`There is no figure ${id}.`);
      const run = () => load({ url: api.url, requests: selected.requests, seconds, connections });
      await run(); // warm-up: V8 compiles
      const before = (await api.usage()).cpuMs;
      const { served } = await run();
      const each = (((await api.usage()).cpuMs - before) * 1000) / served;
      const shares = sharesOf(await api.profile(run));
      node.set(id, new Map([...shares].map(([step, share]) => [step, share * each])));
      log(`Node, ${id}: ${each.toFixed(0)} µs`);
    }
  } finally {
    await api.stop();
  }
  const sql = new Map<Column, SqlProfile>();
  for (const column of columns) sql.set(column, await profileSql(data, calls[column]));
  return [`Processor time of one request, µs.`, nodeTable(node), functionTable(sql), statementTable(sql)].join("\n\n");
}

/** Processor time in µs, by step, function or statement. */
type Costs = Map<string, number>;

const whole = (us: number | undefined) => (us === undefined || us < minimumUs ? "" : us.toFixed(us < 10 ? 1 : 0));
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const byName = (costs: Cost[]): Costs => new Map(costs.map(({ name, us }) => [name, us]));

function table(title: string, rows: [name: string, cells: string[]][]): string {
  return [
    `| ${title} | ${columns.map((column) => titles[column]).join(" | ")} |`,
    `|---|${"--:|".repeat(columns.length)}`,
    ...rows.map(([name, cells]) => `| ${name} | ${cells.join(" | ")} |`),
  ].join("\n");
}

/** The names of all columns with their times, the most expensive of the later columns first. */
function costRows(costs: Map<Column, Costs>): [name: string, times: (number | undefined)[]][] {
  const names = [...new Set([...costs.values()].flatMap((column) => [...column.keys()]))];
  const timesOf = (name: string) => columns.map((column) => costs.get(column)?.get(name));
  const highest = (times: (number | undefined)[]) => Math.max(...times.map((us) => us ?? 0));
  return names
    .map((name): [string, (number | undefined)[]] => [name, timesOf(name)])
    .filter(([, times]) => highest(times) >= minimumUs)
    .toSorted(([, a], [, b]) => highest(b) - highest(a));
}

function nodeTable(costs: Map<Column, Costs>): string {
  return table("Node, 32 connections", [
    ...costRows(costs).map(([step, times]): [string, string[]] => [step, times.map(whole)]),
    ["**total**", columns.map((column) => whole(sum(costs.get(column)?.values() ?? [])))],
  ]);
}

function functionTable(sql: Map<Column, SqlProfile>): string {
  const costs = new Map([...sql].map(([column, { functions }]) => [column, byName(functions)]));
  const rest = columns.map((column) => (sql.get(column)?.total ?? 0) - sum(costs.get(column)?.values() ?? []));
  return table("PostgreSQL, one connection: self time of functions", [
    ...costRows(costs).map(([name, times]): [string, string[]] => [`\`${name}\``, times.map(whole)]),
    ["outside functions: protocol, planning, transaction, deferred triggers, commit", rest.map(whole)],
    ["**total**", columns.map((column) => whole(sql.get(column)?.total))],
  ]);
}

/** Leaves out statements that execute others: their time is the time of the executed statements and of the notices. */
function statementTable(sql: Map<Column, SqlProfile>): string {
  const costs = new Map([...sql].map(([column, { statements }]) => [column, byName(statements)]));
  const post = sql.get("post");
  return table("Statements inside functions", [
    ...costRows(costs)
      .filter(([name]) => !executesOthers.test(name))
      .map(([name, times]): [string, string[]] => [`\`${name}\``, times.map(whole)]),
    [
      "`insert into app.memories` alone: policy, row, indexes",
      columns.map((column) => (column === "post" && post ? whole(insertAlone(post)) : "")),
    ],
  ]);
}

const executesOthers = /api\.handle|^insert into app\.memories$|^select from app\.organisations$/;

/** The time of insert_memory without its foreign keys. Functions of the answer and of triggers have rows of their own. */
function insertAlone({ functions, statements }: SqlProfile): number {
  const inserting = functions.find(({ name }) => name === "api_private.insert_memory");
  if (!inserting) throw new Error("No call of api_private.insert_memory was counted.");
  const keys = statements.filter(({ name }) => /^foreign key/.test(name));
  return inserting.us - sum(keys.map(({ us }) => us));
}
