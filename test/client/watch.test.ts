/** The client's `watch`: resumes over several connections, and yields each event once. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { type Client, createClient } from "../../src/client/index.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { slowNetworkTo } from "../support/slow-network.ts";
import { watchedRun, withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const events = "/runs/{id}/events";
const clientOf = (member: Member, baseUrl = here.api.url, more = {}): Client =>
  createClient({ baseUrl, key: member.key.text, backoffMs: 1, ...more });

/** The ids and names of all events; `seen` grows with each. */
async function allOf(client: Client, id: string, seen: string[] = []): Promise<string[]> {
  for await (const event of client.watch(events, { path: { id } })) seen.push(`${event.id} ${event.event}`);
  return seen;
}

test("watch yields typed events after the given one, until the end", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const assignment = await run.begin();
  await run.executor.step(assignment, 7);
  await run.executor.finish(assignment, "Deep.");
  const seen: unknown[] = [];
  for await (const { event, data } of clientOf(ada).watch(events, { path: { id: run.id }, after: 1 })) {
    if (event === "step") seen.push(data.spendMicroCents);
    else if (event === "message") seen.push(data.text);
    else if (event === "approval") seen.push(data.approvalId);
    else seen.push(data.state);
  }
  expect(seen).toEqual(["running", 7, "Deep.", "completed"]);
});

test("watch yields deltas without an id if they are included, and continues after the last numbered event", async () => {
  await withWatchingApi(here, { pace: { heartbeatMs: 20, maxDurationMs: 400 } }, async (api) => {
    const ada = await here.owner();
    const { id, begin, executor } = await watchedRun(here, pool, ada);
    const run = await begin();
    const numbers: number[] = [];
    let text = "";
    const all = (async () => {
      const options = { path: { id }, query: { include: "deltas" } } as const;
      for await (const event of clientOf(ada, api.url).watch(events, options)) {
        if (event.event === "delta") text += `${event.data.attempt}:${event.data.offset}:${event.data.text} `;
        else numbers.push(event.id);
      }
    })();
    await eventually(async () => {
      await executor.delta(run, 0, "Deep");
      return text !== "";
    });
    await executor.finish(run, "Deep.");
    await all;
    expect(text).toMatch(/^(1:0:Deep )+$/);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });
});

test("watch resumes streams that the API closes, without gaps and repeats", async () => {
  await withWatchingApi(here, { pace: { heartbeatMs: 20, maxDurationMs: 50 } }, async (api) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    const connections: (string | null)[] = [];
    const counted: typeof fetch = (url, init) => {
      connections.push(new Headers(init?.headers).get("last-event-id"));
      return fetch(url, init);
    };
    const seen: string[] = [];
    const all = allOf(clientOf(ada, api.url, { fetch: counted }), run.id, seen);
    await eventually(async () => connections.length >= 2);
    const assignment = await run.begin();
    await run.executor.step(assignment);
    await eventually(async () => seen.length >= 3 && connections.length >= 3);
    await run.executor.finish(assignment);
    expect(await all).toEqual(["1 state", "2 state", "3 step", "4 message", "5 end"]);
    expect(connections.slice(0, 2)).toEqual([null, "1"]);
  });
});

test("watch reconnects after a cut connection and after a silent one", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const network = await slowNetworkTo(Number(new URL(here.api.url).port));
  try {
    const seen: string[] = [];
    const client = clientOf(ada, `http://127.0.0.1:${network.port}`, {
      timeoutMs: 300,
      maxRetries: 50,
      maxDelayMs: 50,
    });
    const all = allOf(client, run.id, seen);
    await eventually(async () => seen.length === 1);
    network.silence(true); // the connection stays open without data
    const assignment = await run.begin();
    await eventually(async () => seen.length === 2);
    network.stall(true);
    network.silence(true);
    await run.executor.finish(assignment);
    await eventually(async () => network.stalledConnections() > 0);
    network.stall(false);
    expect(await all).toEqual(["1 state", "2 state", "3 message", "4 end"]);
  } finally {
    await network.close();
  }
});

test("a caller that handles an event slowly causes no time-out", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const seen: string[] = [];
  const client = clientOf(ada, here.api.url, { timeoutMs: 500, maxRetries: 0 });
  const assignment = await run.begin();
  for await (const { event } of client.watch(events, { path: { id: run.id } })) {
    seen.push(event);
    await sleep(800); // longer than the time-out of 500 ms
    if (seen.length === 2) await run.executor.finish(assignment);
  }
  expect(seen).toEqual(["state", "state", "message", "end"]);
});

test("a caller that stops iterating releases its slot", async () => {
  await withWatchingApi(here, { slots: { perKey: 1, perProcess: 10, shareOfFree: 100 } }, async (api) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    const client = clientOf(ada, api.url, { maxRetries: 0 });
    const first = async () => {
      for await (const { event } of client.watch(events, { path: { id: run.id } })) return event;
    };
    expect(await first()).toBe("state");
    await eventually(() =>
      first().then(
        () => true,
        () => false,
      ),
    );
    const leaving = new AbortController();
    let watching = client.watch(events, { path: { id: run.id } });
    await eventually(() => {
      watching = client.watch(events, { path: { id: run.id }, signal: leaving.signal });
      return watching.next().then(
        ({ done }) => !done,
        () => false,
      );
    });
    leaving.abort();
    await expect(watching.next()).rejects.toMatchObject({ code: "aborted" });
  });
});
