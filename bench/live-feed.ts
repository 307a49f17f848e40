/**
 * `npm run bench -- live`: streams of `GET /events`. The time from the acknowledgement of the commit until an event reaches all
 * listeners of its organisation, the memory of a listener, and processor time of the API and of PostgreSQL.
 */
import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { makeCredential } from "../src/secrets/credentials.ts";
import { postgresCpuMs } from "./cpu.ts";
import type { Data } from "./data.ts";
import { listeners } from "./streams.ts";
import { type System, startSystem } from "./systems.ts";

/** A key may have 100 streams, an organisation a tenth of the free places. */
const keysEach = 2;
const idleSeconds = 15; // one heartbeat of each stream
const eventsAtRate = 250;
const perSecond = 50;

/** Streams of one organisation that resume, each with a filter and this many events behind. */
const resuming = 500;
const eventsBehind = 4_000;
const resumingKeys = 5;

type Arrival = { event: string; at: number };
/** Ids of the inserted events, and when each was committed. */
type Committed = Map<string, number>;
type Row = { label: string; events: number; arrivals: number; p50: number; p99: number; max: number; cpu: Cpu };
/** Milliseconds of processor time. */
type Cpu = { node: number; postgres: number };

export async function measureLiveFeed(data: Data, folder: string, rounds: number): Promise<string> {
  const api = await startSystem("botstead", data);
  const admin = new Client({ connectionString: data.adminUrl });
  await admin.connect();
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const arrivals: Arrival[] = [];
  const opened: ClientRequest[] = [];
  try {
    const organisations = [...new Set(data.targets.map(({ organisationId }) => organisationId))];
    const keys = await adminKeys(admin, data.targets, keysEach);
    const idle = (await api.usage()).rss;
    while (opened.length < listeners) {
      opened.push(...(await Promise.all(keys.map((key) => listen(`${api.url}/api/v1/events`, agent, key, arrivals)))));
    }
    const bytesEach = ((await api.usage()).rss - idle) / opened.length;
    const listenersEach = opened.length / organisations.length;

    /** Inserts an event for each of the organisations, in one transaction. */
    const insert = async (some: string[], into: Committed): Promise<void> => {
      const { rows } = await admin.query<{ id: string }>(
        "insert into app.events (organisation_id, kind, data) select unnest($1::uuid[]), 'run.finished', '{}' returning id",
        [some],
      );
      const now = performance.now();
      for (const { id } of rows) into.set(id, now);
    };
    const measure = async (label: string, work: (committed: Committed) => Promise<void>): Promise<Row> => {
      const committed: Committed = new Map();
      arrivals.length = 0;
      const before = await cpuOf(api, folder);
      await work(committed);
      await until(() => arrivals.length >= committed.size * listenersEach);
      const cpu = difference(before, await cpuOf(api, folder));
      return { label, events: committed.size, arrivals: arrivals.length, ...distribution(arrivals, committed), cpu };
    };
    /** Waits until what was inserted has arrived, so that no two transactions overlap. */
    const oneByOne = (groups: string[][]) => async (committed: Committed) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const group of groups) {
          await insert(group, committed);
          await until(() => arrivals.length >= committed.size * listenersEach);
        }
      }
    };
    const atRate = async (committed: Committed) => {
      const began = performance.now();
      for (let nth = 0; nth < eventsAtRate; nth += 1) {
        await sleep(Math.max(0, began + (nth * 1000) / perSecond - performance.now()));
        await insert([organisations[nth % organisations.length] ?? ""], committed);
      }
    };
    await measure("warm-up", oneByOne([organisations]));
    const resting = await measure("rest", () => sleep(idleSeconds * 1000));
    /** Returns the arrivals at these streams. */
    const resume = async (organisation: string): Promise<Arrival[]> => {
      const targets = data.targets.filter(({ organisationId }) => organisationId === organisation);
      const resumers = await adminKeys(admin, targets, resumingKeys);
      const headers = { authorization: `Bearer ${resumers[0]}` };
      const { position } = (await (await fetch(`${api.url}/api/v1/events?limit=1`, { headers })).json()) as {
        position: string;
      };
      arrivals.length = 0;
      await admin.query(
        "insert into app.events (organisation_id, kind, data) select $1, 'webhook.test', '{}' from generate_series(1, $2)",
        [organisation, eventsBehind],
      );
      await until(() => arrivals.length >= eventsBehind * listenersEach);
      const url = `${api.url}/api/v1/events?event=webhook.test&after=${position}`;
      const caughtUp: Arrival[] = [];
      for (let count = 0; count < resuming; count += resumers.length) {
        opened.push(...(await Promise.all(resumers.map((key) => listen(url, agent, key, caughtUp)))));
      }
      return caughtUp;
    };
    const [busy = "", ...others] = organisations;
    const rows = [
      await measure("one organisation at a time", oneByOne(organisations.map((each) => [each]))),
      await measure("all organisations in one transaction", oneByOne([organisations])),
      await measure(`${perSecond} transactions a second`, atRate),
    ];
    const caughtUp = await resume(busy);
    const beside = await measure(
      `one at a time, beside ${resuming} streams of another that resume`,
      oneByOne(others.map((each) => [each])),
    );
    const stillBehind = 1 - caughtUp.length / (resuming * eventsBehind);
    return report({
      rows: [...rows, beside],
      stillBehind,
      resting: resting.cpu,
      bytesEach,
      organisations: organisations.length,
      keys: keys.length,
    });
  } finally {
    for (const sent of opened) sent.destroy();
    agent.destroy();
    await admin.end();
    await api.stop();
  }
}

async function adminKeys(admin: Client, targets: Data["targets"], each: number): Promise<string[]> {
  const keys: string[] = [];
  for (const { organisationId, personId } of new Map(targets.map((each) => [each.organisationId, each])).values()) {
    for (let nth = 0; nth < each; nth += 1) {
      const { text, prefix, digest } = makeCredential("bsk");
      const values = [organisationId, personId, prefix, digest];
      await admin.query("select operator.insert_key($1, $2, 'bench', 'admin', 90, $3, $4)", values);
      keys.push(text);
    }
  }
  return keys;
}

/** Opens a stream. Resolves once it has sent its position, from which it follows the feed. */
function listen(url: string, agent: Agent, key: string, arrivals: Arrival[]): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
    const sent = request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`A stream was answered ${response.statusCode}.`));
      response.once("data", () => resolve(sent));
      let rest = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        const at = performance.now();
        const frames = (rest + part).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          const event = /^data: \{"id":"([^"]+)"/m.exec(frame)?.[1];
          if (event) arrivals.push({ event, at });
        }
      });
      response.on("error", () => {}); // the end of the measurement destroys the request
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !holds(); await sleep(2)) {
    if (performance.now() > end) throw new Error("Not all events arrived within a minute.");
  }
}

async function cpuOf(api: System, folder: string): Promise<Cpu> {
  return { node: (await api.usage()).cpuMs, postgres: postgresCpuMs(folder) ?? Number.NaN };
}

const difference = (before: Cpu, after: Cpu): Cpu => ({
  node: after.node - before.node,
  postgres: after.postgres - before.postgres,
});

function distribution(arrivals: Arrival[], committed: Committed): Pick<Row, "p50" | "p99" | "max"> {
  // An event may arrive before the acknowledgement of its commit.
  const times = arrivals.map(({ event, at }) => Math.max(0, at - (committed.get(event) ?? Number.NaN)));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

type Result = {
  rows: Row[];
  stillBehind: number;
  resting: Cpu;
  bytesEach: number;
  organisations: number;
  keys: number;
};

function report({ rows, stillBehind, resting, bytesEach, organisations, keys }: Result): string {
  const lines = rows.map(({ label, events, arrivals, p50, p99, max, cpu }) => {
    const times = [p50, p99, max].map((ms) => ms.toFixed(1));
    const cells = [label, events, arrivals.toLocaleString("en"), ...times];
    cells.push(((cpu.node * 1000) / arrivals).toFixed(0), (cpu.postgres / events).toFixed(1));
    return `| ${cells.join(" | ")} |`;
  });
  const perSecondAtRest = (ms: number) => (ms / idleSeconds).toFixed(1);
  return [
    `${listeners.toLocaleString("en")} live listeners with ${keys} keys of ${organisations} organisations.`,
    [
      "| Events of | events | arrivals | p50 ms | p99 ms | maximum ms | CPU of Node, µs an arrival | CPU of PostgreSQL, ms an event |",
      "|---|--:|--:|--:|--:|--:|--:|--:|",
      ...lines,
    ].join("\n"),
    `Beside the streams that resume, p50 is ${((rows.at(-1)?.p50 ?? 0) / (rows[0]?.p50 ?? 0)).toFixed(1)} times as long. ` +
      `Of their ${(resuming * eventsBehind).toLocaleString("en")} events, ${(stillBehind * 100).toFixed(0)} % had still to come at the end.`,
    `A listener takes ${Math.round(bytesEach / 1000)} KB of the API process. Without events, all of them together take ` +
      `${perSecondAtRest(resting.node)} ms of Node and ${perSecondAtRest(resting.postgres)} ms of PostgreSQL a second.`,
  ].join("\n\n");
}
