/**
 * Streams of runs' events: many who watch, and what it takes until an event has reached them. What happens is a step,
 * written through triggers as an executor's is; the time is from when its commit is acknowledged to when a listener has it.
 */
import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startContestant } from "./contest.ts";
import type { Data } from "./data.ts";

export const listeners = 2_000;

/** One way in which runs and those who watch them change. In ms, but for what one event costs one listener. */
export type FanOut = { label: string; runs: number; p50: number; p99: number; last: number; nodeUs: number };
export type Streams = { fanOuts: FanOut[]; bytesEach: number };

type Listener = { runId: string; sent: ClientRequest };

export async function measureStreams(data: Data, rounds: number, say: (what: string) => void): Promise<Streams> {
  const api = await startContestant("botstead", data);
  const admin = new Client({ connectionString: data.adminUrl });
  await admin.connect();
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const keys = [...new Map(data.targets.map((target) => [target.bearer, target])).values()];
  const heard = { count: 0, at: [] as number[] };
  const fanOuts: FanOut[] = [];
  let bytesEach = 0;

  /** Of each key as many listeners: of one run of the organisation, or each of a run of its own. */
  async function open(isShared: boolean): Promise<Listener[]> {
    const runs = new Map<string, string[]>();
    for (const { organisationId, personId, bearer } of keys) {
      const group = isShared ? organisationId : bearer;
      if (!runs.has(group)) {
        runs.set(group, await makeRuns(admin, organisationId, personId, isShared ? 1 : listeners / keys.length));
      }
    }
    const opened: Listener[] = [];
    for (let nth = 0; nth < listeners; nth += keys.length) {
      const some = keys.map(({ organisationId, bearer }) => {
        const own = runs.get(isShared ? organisationId : bearer) ?? [];
        return listen(own[(nth / keys.length) % own.length] ?? "", bearer);
      });
      opened.push(...(await Promise.all(some)));
    }
    return opened;
  }

  function listen(runId: string, bearer: string): Promise<Listener> {
    return new Promise((resolve, reject) => {
      const url = `${api.url}/api/v1/runs/${runId}/events`;
      const sent = request(url, { agent, headers: { authorization: `Bearer ${bearer}` } }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`A stream was answered ${response.statusCode}.`));
        response.once("data", () => resolve({ runId, sent })); // what has happened already
        response.on("data", (part: Buffer) => {
          const now = performance.now();
          for (let at = part.indexOf("event: step"); at >= 0; at = part.indexOf("event: step", at + 1)) {
            heard.count += 1;
            heard.at.push(now);
          }
        });
        response.on("error", () => {}); // it is left below
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  async function allHear(expected: number): Promise<void> {
    const until = performance.now() + 60_000;
    while (heard.count < expected) {
      if (performance.now() > until) throw new Error(`${heard.count} of ${expected} were heard within a minute.`);
      await sleep(5);
    }
  }

  async function fanOut(label: string, isShared: boolean, isBurst: boolean): Promise<void> {
    const idle = (await api.spent()).rss;
    const opened = await open(isShared);
    bytesEach = Math.max(bytesEach, ((await api.spent()).rss - idle) / listeners);
    const runs = [...new Set(opened.map(({ runId }) => runId))];
    const took: number[] = [];
    let last = 0;
    const before = (await api.spent()).cpuMs;
    for (let round = 0; round < rounds; round += 1) {
      for (const together of isBurst ? [runs] : runs.map((run) => [run])) {
        heard.count = 0;
        heard.at = [];
        await admin.query(
          `insert into app.steps (organisation_id, run_id, number, kind)
           select organisation_id, id, $2, 'bench' from app.runs where id = any ($1)`,
          [together, round + 1],
        );
        const committed = performance.now();
        await allHear(opened.filter(({ runId }) => together.includes(runId)).length);
        const after = heard.at.map((at) => Math.max(at - committed, 0)); // word may overtake the acknowledgement
        took.push(...after);
        last = Math.max(last, ...after);
      }
    }
    const nodeUs = (((await api.spent()).cpuMs - before) * 1000) / took.length;
    took.sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
    fanOuts.push({ label, runs: runs.length, p50: at(0.5), p99: at(0.99), last, nodeUs });
    for (const { sent } of opened) sent.destroy();
    await sleep(500); // the API notices that they have gone
  }

  try {
    say(`Streams: ${listeners} who watch, by ${keys.length} keys`);
    await admin.query("update app.organisations set hourly_routine_ceiling = 1000000000");
    await fanOut("one run at a time, each watched by many", true, false);
    await fanOut("all runs at once, each watched by many", true, true);
    await fanOut("all runs at once, each watched by one", false, true);
    return { fanOuts, bytesEach };
  } finally {
    agent.destroy();
    await admin.end();
    await api.stop();
  }
}

/** In one conversation of the organisation's first bot with this person. */
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
