/**
 * `npm run bench -- streams`: the time until an event of a run reaches all listeners. Each event is a step that is inserted with
 * its triggers. The time is from the acknowledgement of the commit to the arrival at the listener.
 */
import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Data } from "./data.ts";
import { raiseLimit } from "./limits.ts";
import { startSystem } from "./systems.ts";

export const listeners = 2_000;

/** One distribution of listeners over runs. Times in ms; `nodeUs` is processor time of the API for each event and listener. */
type FanOut = { label: string; runs: number; p50: number; p99: number; max: number; nodeUs: number };

/** Who shares a run: all keys of an organisation, no other stream, or the keys of a person, who alone gets deltas. */
type Sharing = "organisation" | "none" | "person";

/** Some words of an answer, as a model writes in 0.2 seconds. */
const piece = "The harbour office is open from nine to five, and closed on Sundays and on public holidays. ";

type Listener = { runId: string; sent: ClientRequest };

/** Returns a Markdown table. */
export async function measureStreams(data: Data, rounds: number, log: (message: string) => void): Promise<string> {
  const api = await startSystem("botstead", data);
  const admin = new Client({ connectionString: data.adminUrl });
  await admin.connect();
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const keys = [...new Map(data.targets.map((target) => [target.bearer, target])).values()];
  const received = { count: 0, at: [] as number[] };
  const fanOuts: FanOut[] = [];
  let bytesEach = 0;

  /** The same number of listeners for each key. */
  async function open(sharing: Sharing): Promise<Listener[]> {
    const isShared = sharing !== "none";
    const groupOf = ({ organisationId, personId, bearer }: (typeof keys)[number]) =>
      ({ organisation: organisationId, none: bearer, person: personId })[sharing];
    const runs = new Map<string, string[]>();
    for (const key of keys) {
      const { organisationId, personId } = key;
      const group = groupOf(key);
      if (!runs.has(group)) {
        runs.set(group, await makeRuns(admin, organisationId, personId, isShared ? 1 : listeners / keys.length));
      }
    }
    const opened: Listener[] = [];
    for (let nth = 0; nth < listeners; nth += keys.length) {
      const some = keys.map((key) => {
        const own = runs.get(groupOf(key)) ?? [];
        return listen(own[(nth / keys.length) % own.length] ?? "", key.bearer, sharing === "person");
      });
      opened.push(...(await Promise.all(some)));
    }
    return opened;
  }

  function listen(runId: string, bearer: string, wantsDeltas: boolean): Promise<Listener> {
    const mark = wantsDeltas ? "event: delta" : "event: step";
    return new Promise((resolve, reject) => {
      const url = `${api.url}/api/v1/runs/${runId}/events${wantsDeltas ? "?include=deltas" : ""}`;
      const sent = request(url, { agent, headers: { authorization: `Bearer ${bearer}` } }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`A stream was answered ${response.statusCode}.`));
        response.once("data", () => resolve({ runId, sent })); // the events before the subscription
        response.on("data", (part: Buffer) => {
          const now = performance.now();
          for (let at = part.indexOf(mark); at >= 0; at = part.indexOf(mark, at + 1)) {
            received.count += 1;
            received.at.push(now);
          }
        });
        response.on("error", () => {}); // `fanOut` destroys the request
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  async function allReceive(expected: number): Promise<void> {
    const until = performance.now() + 60_000;
    while (received.count < expected) {
      if (performance.now() > until)
        throw new Error(`${received.count} of ${expected} events arrived within a minute.`);
      await sleep(5);
    }
  }

  const insertStep = (runs: string[], round: number) =>
    admin.query(
      `insert into app.steps (organisation_id, run_id, number, kind)
       select organisation_id, id, $2, 'bench' from app.runs where id = any ($1)`,
      [runs, round + 1],
    );
  const sendDelta = (runs: string[]) =>
    admin.query("select runner.delta(organisation_id, id, lease_id, 0, $2) from app.runs where id = any ($1)", [
      runs,
      piece,
    ]);

  /** Leases the runs, and waits until each stream gets their deltas. */
  async function beginDeltas(runs: string[]): Promise<void> {
    await admin.query(
      `update app.runs set state = 'running', lease_id = uuidv7(), lease_until = now() + interval '1 hour', working_since = now()
       where id = any ($1)`,
      [runs],
    );
    do {
      received.count = 0;
      await sendDelta(runs);
      await sleep(1_000);
    } while (received.count < listeners);
  }

  async function fanOut(label: string, sharing: Sharing, isBurst: boolean): Promise<void> {
    const idle = (await api.usage()).rss;
    const opened = await open(sharing);
    bytesEach = Math.max(bytesEach, ((await api.usage()).rss - idle) / listeners);
    const runs = [...new Set(opened.map(({ runId }) => runId))];
    const hasDeltas = sharing === "person";
    if (hasDeltas) await beginDeltas(runs);
    const times: number[] = [];
    let max = 0;
    const before = (await api.usage()).cpuMs;
    for (let round = 0; round < rounds; round += 1) {
      for (const together of isBurst ? [runs] : runs.map((run) => [run])) {
        received.count = 0;
        received.at = [];
        await (hasDeltas ? sendDelta(together) : insertStep(together, round));
        const committed = performance.now();
        await allReceive(opened.filter(({ runId }) => together.includes(runId)).length);
        const after = received.at.map((at) => Math.max(at - committed, 0)); // the event may arrive before the acknowledgement
        times.push(...after);
        max = Math.max(max, ...after);
      }
    }
    const nodeUs = (((await api.usage()).cpuMs - before) * 1000) / times.length;
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    fanOuts.push({ label, runs: runs.length, p50: at(0.5), p99: at(0.99), max, nodeUs });
    for (const { sent } of opened) sent.destroy();
    if (hasDeltas) await admin.query("update app.runs set state = 'cancelled' where id = any ($1)", [runs]);
    await sleep(500); // until the API notices the closed connections
  }

  try {
    log(`Streams: ${listeners} listeners with ${keys.length} keys`);
    await raiseLimit(admin, "routineStartsPerHour");
    await fanOut("one run at a time, many streams each", "organisation", false);
    await fanOut("all runs at once, many streams each", "organisation", true);
    await fanOut("all runs at once, one stream each", "none", true);
    await fanOut("deltas of one run at a time, many streams each", "person", false);
    await fanOut("deltas of all runs at once, many streams each", "person", true);
    return streamTable(fanOuts, bytesEach);
  } finally {
    agent.destroy();
    await admin.end();
    await api.stop();
  }
}

function streamTable(fanOuts: FanOut[], bytesEach: number): string {
  const lines = [
    "Time from the commit of an event to its arrival at a listener.\n",
    `| ${listeners.toLocaleString("en")} open event streams | runs | p50 ms | p99 ms | maximum ms | CPU of Node, µs each |`,
    "|---|--:|--:|--:|--:|--:|",
  ];
  for (const { label, runs, p50, p99, max, nodeUs } of fanOuts) {
    const cells = [label, runs.toLocaleString("en"), p50.toFixed(1), p99.toFixed(1), max.toFixed(1), nodeUs.toFixed(0)];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  lines.push(`\nAn open stream takes ${Math.round(bytesEach / 1000)} KB of the API process.`);
  return lines.join("\n");
}

/** Inserts runs of one conversation between this person and the first bot of the organisation. */
async function makeRuns(admin: Client, organisationId: string, personId: string, count: number): Promise<string[]> {
  await admin.query(
    `insert into app.conversations (organisation_id, bot_id, person_id)
     select organisation_id, id, $2 from app.bots where organisation_id = $1 order by id limit 1
     on conflict do nothing`,
    [organisationId, personId],
  );
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
     select organisation_id, bot_id, id, person_id, 'routine'
     from (
       select * from app.conversations where organisation_id = $1 and person_id = $2 order by id limit 1
     ) conversation, generate_series(1, $3)
     returning id`,
    [organisationId, personId, count],
  );
  return rows.map(({ id }) => id);
}
