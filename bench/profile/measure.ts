/** `npm run bench -- profile`: what each step of a GET and of a POST costs, in Node and in PostgreSQL. */
import { startContestant } from "../contest.ts";
import type { Data } from "../data.ts";
import { connections, load } from "../measure.ts";
import { claimAdmitted, figures } from "../rows.ts";
import { type Call, profileSql, type SqlProfile } from "./functions.ts";
import { sharesOf } from "./steps.ts";

const calls: Record<"get" | "post", Call> = {
  get: { operation: "get_memory", input: ({ memoryId }) => ({ id: memoryId }), keyed: false },
  post: { operation: "create_memory", input: () => claimAdmitted, keyed: true },
};
/** What is less is not a step that anybody looks for. */
const leastUs = 0.5;

/** Tables in Markdown. @param seconds that each load lasts */
export async function measureProfile(data: Data, seconds: number, say: (what: string) => void): Promise<string> {
  const api = await startContestant("botstead", data);
  const node = new Map<string, Map<string, number>>();
  try {
    for (const id of ["get", "post"]) {
      const asked = figures(data).find((figure) => figure.id === id);
      if (!asked || !("requests" in asked)) throw new Error(`There is no figure ${id}.`);
      const run = () => load({ url: api.url, requests: asked.requests, seconds, connections });
      await run(); // until it is compiled
      const before = (await api.spent()).cpuMs;
      const { served } = await run();
      const each = (((await api.spent()).cpuMs - before) * 1000) / served;
      const shares = sharesOf(await api.profiled(run));
      node.set(id, new Map([...shares].map(([step, share]) => [step, share * each])));
      say(`Node, ${id}: ${each.toFixed(0)} µs`);
    }
  } finally {
    await api.stop();
  }
  const sql = { get: await profileSql(data, calls.get), post: await profileSql(data, calls.post) };
  return [
    `${new Date().toISOString().slice(0, 10)}; Node ${process.versions.node}, PostgreSQL ${data.version}; µs of processor time for one request.`,
    nodeTable(node.get("get") ?? new Map(), node.get("post") ?? new Map()),
    functionTable(sql),
    statementTable(sql),
  ].join("\n\n");
}

const whole = (us: number | undefined) => (us === undefined || us < leastUs ? "" : us.toFixed(us < 10 ? 1 : 0));
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

function nodeTable(get: Map<string, number>, post: Map<string, number>): string {
  const steps = [...new Set([...post.keys(), ...get.keys()])]
    .filter((step) => Math.max(get.get(step) ?? 0, post.get(step) ?? 0) >= leastUs)
    .toSorted((a, b) => (post.get(b) ?? 0) - (post.get(a) ?? 0));
  return [
    "| Node, 32 connections | GET one | POST |",
    "|---|--:|--:|",
    ...steps.map((step) => `| ${step} | ${whole(get.get(step))} | ${whole(post.get(step))} |`),
    `| **together** | ${whole(sum(get.values()))} | ${whole(sum(post.values()))} |`,
  ].join("\n");
}

function functionTable({ get, post }: { get: SqlProfile; post: SqlProfile }): string {
  const byName = ({ functions }: SqlProfile) => new Map(functions.map(({ name, us }) => [name, us]));
  const [ofGet, ofPost] = [byName(get), byName(post)];
  const rest = (profile: SqlProfile) => profile.whole - sum(byName(profile).values());
  const names = [...new Set([...ofGet.keys(), ...ofPost.keys()])]
    .filter((name) => Math.max(ofGet.get(name) ?? 0, ofPost.get(name) ?? 0) >= leastUs)
    .toSorted((a, b) => (ofPost.get(b) ?? 0) - (ofPost.get(a) ?? 0));
  return [
    "| PostgreSQL, one connection: functions, each without those it calls | GET one | POST |",
    "|---|--:|--:|",
    ...names.map((name) => `| \`${name}\` | ${whole(ofGet.get(name))} | ${whole(ofPost.get(name))} |`),
    `| outside functions: message, plan, transaction, deferred triggers found, commit | ${whole(rest(get))} | ${whole(rest(post))} |`,
    `| **together** | ${whole(get.whole)} | ${whole(post.whole)} |`,
  ].join("\n");
}

/** What sets off others is left out: its time is theirs, and that of their being told. */
function statementTable({ get, post }: { get: SqlProfile; post: SqlProfile }): string {
  const byName = ({ statements }: SqlProfile) => new Map(statements.map(({ name, us }) => [name, us]));
  const [ofGet, ofPost] = [byName(get), byName(post)];
  const names = [...new Set([...ofGet.keys(), ...ofPost.keys()])].filter((name) => !setsOffOthers.test(name));
  return [
    "| Statements in them, in the order in which they end | GET one | POST |",
    "|---|--:|--:|",
    ...names.map((name) => `| \`${name}\` | ${whole(ofGet.get(name))} | ${whole(ofPost.get(name))} |`),
    `| \`insert into app.memories\` itself: policy, row, indexes | | ${whole(insertItself(post))} |`,
  ].join("\n");
}

const setsOffOthers = /api\.handle|^insert into app\.memories$|^select from app\.organisations$/;

/** What is left of its function, when the row is read again and its foreign keys are looked up besides. */
function insertItself({ functions, statements }: SqlProfile): number {
  const besides = statements.filter(({ name }) => /^foreign key|rows\.memories$/.test(name));
  const creating = functions.find(({ name }) => name === "api.create_memory")?.us ?? Number.NaN;
  return creating - sum(besides.map(({ us }) => us));
}
