/** Processor time of a call in PostgreSQL, by function and by statement, from track_functions and auto_explain. */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { sessionCpu } from "../cpu.ts";
import type { Data, Target } from "../data.ts";
import { lowerQuartile } from "./quartile.ts";

export type Call = { operation: string; input: (target: Target) => object; keyed: boolean };
/** Processor time for one call. */
export type Cost = { name: string; us: number };
/** `functions`: self time. `statements`: time including functions and triggers that they execute. */
export type SqlProfile = { total: number; functions: Cost[]; statements: Cost[] };

const slices = 60;
const slice = 50;

/** Runs `work` as role server. @param settings of the role during the work; only an administrator can set them */
async function asServer<T>(
  data: Data,
  settings: Record<string, string>,
  work: (server: Client, admin: Client) => Promise<T>,
) {
  const admin = new Client({ connectionString: data.adminUrl });
  await admin.connect();
  const alter = async (how: (name: string, value: string) => string) => {
    for (const [name, value] of Object.entries(settings)) await admin.query(`alter role server ${how(name, value)}`);
  };
  await alter((name, value) => `set ${name} = '${value}'`);
  const server = new Client({ connectionString: urlAs("server", data.adminUrl, data.key) });
  try {
    await server.connect();
    return await work(server, admin);
  } finally {
    await server.end();
    await alter((name) => `reset ${name}`);
    await admin.end();
  }
}

function caller({ targets }: Data, { operation, input, keyed }: Call) {
  let number = 0;
  return async (server: Client) => {
    const target = targets[number++ % targets.length] as Target;
    const hash = () => (keyed ? randomBytes(32) : null);
    const { rows } = await server.query<{ answer: string }>({
      name: operation,
      text: "select api.handle($1, $2, $3, null, $4, $5, $6, null, false) as answer",
      values: [target.digest, operation, JSON.stringify(input(target)), randomUUID(), hash(), hash()],
    });
    if (!rows[0]?.answer.startsWith('{"status":20')) throw new Error(`${operation} failed: ${rows[0]?.answer}`);
  };
}

export async function profileSql(data: Data, call: Call): Promise<SqlProfile> {
  const counted = await asServer(data, { track_functions: "all" }, (server, admin) =>
    functionsOf(server, admin, caller(data, call)),
  );
  const statements = await asServer(data, explainSettings, (server) => statementsOf(server, caller(data, call)));
  return { ...counted, statements };
}

async function functionsOf(server: Client, admin: Client, call: (server: Client) => Promise<void>) {
  const now = await sessionCpu(server, () => performance.now() * 1000);
  const counted = async () => {
    await server.query("select pg_stat_force_next_flush()");
    const { rows } = await admin.query<{ name: string; us: number }>(
      `select schemaname || '.' || funcname as name, self_time * 1000 as us from pg_stat_user_functions order by funcid`,
    );
    return new Map(rows.map(({ name, us }) => [name, us]));
  };
  const totals: number[] = [];
  const each = new Map<string, number[]>();
  for (let number = 0; number <= slices; number += 1) {
    const before = await counted();
    const began = now();
    for (let calls = 0; calls < slice; calls += 1) await call(server);
    const total = (now() - began) / slice;
    const after = await counted();
    if (number === 0) continue;
    totals.push(total);
    for (const [name, us] of after) {
      const used = (us - (before.get(name) ?? 0)) / slice;
      if (used > 0) each.set(name, [...(each.get(name) ?? []), used]);
    }
  }
  const functions: Cost[] = [...each].map(([name, times]) => ({ name, us: lowerQuartile(times) }));
  return { total: lowerQuartile(totals), functions };
}

/** auto_explain sends every statement, also nested ones, to the client as a notice. The time of the notice counts for the caller. */
const explainSettings = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
};

type Explained = { "Query Text": string };

async function statementsOf(server: Client, call: (server: Client) => Promise<void>): Promise<Cost[]> {
  const each = new Map<string, number[]>();
  let isCounted = false;
  server.on("notice", ({ message = "" }) => {
    const [, ms, plan] = /^duration: ([\d.]+) ms\s+plan:\s+(.*)$/s.exec(message) ?? [];
    if (!isCounted || !ms || !plan) return;
    const name = summarise((JSON.parse(plan) as Explained)["Query Text"]);
    each.set(name, [...(each.get(name) ?? []), Number(ms) * 1000]);
  });
  for (let number = 0; number < slice * 8; number += 1) {
    isCounted = number >= slice * 4;
    await call(server);
  }
  return [...each].map(([name, times]) => ({ name, us: (lowerQuartile(times) * times.length) / (slice * 4) }));
}

/** The verb and table of a statement; the beginning of an expression. */
function summarise(text: string): string {
  const line = text.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").trim();
  const [, verb] = /^((?:insert into|update|delete from) \S+)/.exec(line) ?? [];
  if (verb) return verb;
  const [, schema, referenced] = /^SELECT 1 FROM ONLY "(\w+)"\."(\w+)"/.exec(line) ?? [];
  if (referenced) return `foreign key to ${schema}.${referenced}`;
  const [, table] = /\bfrom ([a-z_]+\.[a-z_]+)/.exec(line) ?? [];
  return table ? `select from ${table}` : line.slice(0, 40);
}
