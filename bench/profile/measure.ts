/** `npm run bench -- profile`: processor time of each step of a GET and of a POST, in Node and in PostgreSQL. */

import type { Data } from "../data.ts";
import { connections, load } from "../measure.ts";
import { figures, memoryInput } from "../rows.ts";
import { startSystem } from "../systems.ts";
import { type Call, profileSql, type SqlProfile } from "./functions.ts";
import { sharesOf } from "./steps.ts";

const calls: Record<"get" | "post", Call> = {
  get: { operation: "get_memory", input: ({ memoryId }) => ({ id: memoryId }), keyed: false },
  post: { operation: "create_memory", input: () => memoryInput, keyed: true },
};
/** Steps below this time are left out. */
const minimumUs = 0.5;

/** Returns Markdown tables. @param seconds of each load */
export async function measureProfile(data: Data, seconds: number, log: (message: string) => void): Promise<string> {
  const api = await startSystem("botstead", data);
  const node = new Map<string, Map<string, number>>();
  try {
    for (const id of ["get", "post"]) {
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
  const sql = { get: await profileSql(data, calls.get), post: await profileSql(data, calls.post) };
  return [
    `${new Date().toISOString().slice(0, 10)}; Node ${process.versions.node}, PostgreSQL ${data.version}; processor time of one request, µs.`,
    nodeTable(node.get("get") ?? new Map(), node.get("post") ?? new Map()),
    functionTable(sql),
    statementTable(sql),
  ].join("\n\n");
}

const whole = (us: number | undefined) => (us === undefined || us < minimumUs ? "" : us.toFixed(us < 10 ? 1 : 0));
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

function nodeTable(get: Map<string, number>, post: Map<string, number>): string {
  const steps = [...new Set([...post.keys(), ...get.keys()])]
    .filter((step) => Math.max(get.get(step) ?? 0, post.get(step) ?? 0) >= minimumUs)
    .toSorted((a, b) => (post.get(b) ?? 0) - (post.get(a) ?? 0));
  return [
    "| Node, 32 connections | GET one | POST |",
    "|---|--:|--:|",
    ...steps.map((step) => `| ${step} | ${whole(get.get(step))} | ${whole(post.get(step))} |`),
    `| **total** | ${whole(sum(get.values()))} | ${whole(sum(post.values()))} |`,
  ].join("\n");
}

function functionTable({ get, post }: { get: SqlProfile; post: SqlProfile }): string {
  const byName = ({ functions }: SqlProfile) => new Map(functions.map(({ name, us }) => [name, us]));
  const [ofGet, ofPost] = [byName(get), byName(post)];
  const rest = (profile: SqlProfile) => profile.total - sum(byName(profile).values());
  const names = [...new Set([...ofGet.keys(), ...ofPost.keys()])]
    .filter((name) => Math.max(ofGet.get(name) ?? 0, ofPost.get(name) ?? 0) >= minimumUs)
    .toSorted((a, b) => (ofPost.get(b) ?? 0) - (ofPost.get(a) ?? 0));
  return [
    "| PostgreSQL, one connection: self time of functions | GET one | POST |",
    "|---|--:|--:|",
    ...names.map((name) => `| \`${name}\` | ${whole(ofGet.get(name))} | ${whole(ofPost.get(name))} |`),
    `| outside functions: protocol, planning, transaction, deferred triggers, commit | ${whole(rest(get))} | ${whole(rest(post))} |`,
    `| **total** | ${whole(get.total)} | ${whole(post.total)} |`,
  ].join("\n");
}

/** Leaves out statements that execute others: their time is that of the others, and of the notices. */
function statementTable({ get, post }: { get: SqlProfile; post: SqlProfile }): string {
  const byName = ({ statements }: SqlProfile) => new Map(statements.map(({ name, us }) => [name, us]));
  const [ofGet, ofPost] = [byName(get), byName(post)];
  const names = [...new Set([...ofGet.keys(), ...ofPost.keys()])].filter((name) => !executesOthers.test(name));
  return [
    "| Statements inside functions, in the order of their end | GET one | POST |",
    "|---|--:|--:|",
    ...names.map((name) => `| \`${name}\` | ${whole(ofGet.get(name))} | ${whole(ofPost.get(name))} |`),
    `| \`insert into app.memories\` alone: policy, row, indexes | | ${whole(insertAlone(post))} |`,
  ].join("\n");
}

const executesOthers = /api\.handle|^insert into app\.memories$|^select from app\.organisations$/;

/** The time of insert_memory without its foreign keys. Functions of the answer and of triggers have rows of their own. */
function insertAlone({ functions, statements }: SqlProfile): number {
  const inserting = functions.find(({ name }) => name === "api_private.insert_memory");
  if (!inserting) throw new Error("No call of api_private.insert_memory was counted.");
  const keys = statements.filter(({ name }) => /^foreign key/.test(name));
  return inserting.us - sum(keys.map(({ us }) => us));
}
