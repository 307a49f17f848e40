/** What is open when a deletion begins: streams, waiting calls, sessions, an export, a part of the audit stream. (docs/leaving.md#deletion) */
import type { ServerResponse } from "node:http";
import { expectRefusal } from "../support/answers.ts";
import type { TestApi } from "../support/api.ts";
import { partsOf } from "../support/audit-streams.ts";
import { connectAgent, postToMcp } from "../support/mcp.ts";
import { callAs, enter, openSession } from "../support/portal-session.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { watchedRun, withWatchingApi } from "../support/watched.ts";
import { eventually, testWorker } from "../support/worker.ts";
import { type Deletions, deletionsOf, rowsOf } from "./fixture.ts";

let deletions: Deletions;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  deletions = await deletionsOf(office.db);
});

/** No heartbeat comes during a test: only a notification can end a stream. */
const unhurried = { heartbeatMs: 600_000, maxDurationMs: 600_000 };

type Open = { name: string; hasEnded(): boolean; outcome: Promise<unknown> };

const opened = (name: string, work: Promise<unknown>): Open => {
  let isOver = false;
  const outcome = work
    .catch((error: Error) => error.message)
    .finally(() => {
      isOver = true;
    });
  return { name, hasEnded: () => isOver, outcome };
};

async function stream(api: TestApi, path: string, headers: Record<string, string>): Promise<Open> {
  const response = await fetch(`${api.url}/api/v1${path}`, { headers: { accept: "text/event-stream", ...headers } });
  expect(response.status).toBe(200);
  return opened(`${path} by ${Object.keys(headers)}`, response.text());
}

test("streams and waiting calls end within 2 s of the begin, by key, portal session and MCP, and other streams stay open", async () => {
  await withWatchingApi(office, { pace: unhurried }, async (api) => {
    const who = await customer(office);
    const other = await customer(office);
    const post = (path: string, body?: unknown) => who.ask("POST", path, body);
    const run = await watchedRun(office, office.db.poolAs("runner"), { post });
    await run.begin();
    const { cookie } = await openSession(office.api.url, (await post("/portal-sessions", {})).body.url);
    const bearer = { authorization: `Bearer ${who.key}` };
    const paths = ["/events", `/runs/${run.id}/events`, `/runs/${run.id}/events?include=deltas`];
    const waiting = `/runs/${run.id}?wait=25`;
    const { client } = await connectAgent(api.url, who.key);
    const progress: unknown[] = [];
    const streams = await Promise.all(
      [bearer, { cookie }].flatMap((headers) => paths.map((path) => stream(api, path, headers))),
    );
    const otherStream = await stream(api, "/events", { authorization: `Bearer ${other.key}` });
    await deletions.hide(who.organisation.id);
    // A wait lasts at most 25 s.
    const waits = [
      opened("a wait", api.call("GET", waiting, { key: who.key })),
      opened(
        "a wait over MCP",
        client.callTool(
          { name: "call_read_operation", arguments: { name: "get_run", arguments: { id: run.id, wait: 20 } } },
          undefined,
          { onprogress: (each) => progress.push(each) },
        ),
      ),
    ];
    const open = [...streams, ...waits];
    await new Promise((resolve) => setTimeout(resolve, 500)); // the waits are open by then
    expect([...open, otherStream].filter(({ hasEnded }) => hasEnded()).map(({ name }) => name)).toEqual([]);
    await deletions.begin(who.organisation.id);
    const began = Date.now();
    await eventually(async () => open.every(({ hasEnded }) => hasEnded()), 20_000).catch(() => {});
    expect(open.filter(({ hasEnded }) => !hasEnded()).map(({ name }) => name)).toEqual([]);
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(await Promise.all(waits.map(({ outcome }) => outcome))).toMatchObject([
      { status: 401 },
      { structuredContent: { status: 401 } },
    ]);
    expect(otherStream.hasEnded()).toBe(false);
    await deletions.end(who.organisation.id);
  });
});

test("a portal session, a link, an MCP session and an export answer as any that have ended, and leave no row", async () => {
  const { api, db } = office;
  const who = await customer(office);
  const [used, unused] = [await who.ask("POST", "/portal-sessions", {}), await who.ask("POST", "/portal-sessions", {})];
  const session = await openSession(api.url, used.body.url);
  const ended = await openSession(api.url, (await who.ask("POST", "/portal-sessions", {})).body.url);
  await callAs(api.url, ended, "/portal-session", { method: "DELETE" });
  const { client } = await connectAgent(api.url, who.key);
  await client.listTools();
  const { id } = (await who.ask("POST", "/exports")).body;
  const part = () => api.call("POST", `/exports/${id}/parts`, { key: who.key, body: { part: 1 } });
  expect((await part()).status).toBe(200);
  await deletions.hide(who.organisation.id);
  const reading = Array.from({ length: 4 }, async () => {
    for (const statuses = new Set<number>(); ; ) {
      const { status } = await part();
      statuses.add(status);
      if (status === 401) return [...statuses].filter((each) => ![200, 401, 404, 429, 503].includes(each));
    }
  });
  await deletions.begin(who.organisation.id);
  expect((await Promise.all(reading)).flat()).toEqual([]);
  expectRefusal(await part(), "unauthenticated");
  const [gone, over] = [await callAs(api.url, session, "/me"), await callAs(api.url, ended, "/me")];
  expect([gone.status, gone.body.error.code, gone.headers.get("set-cookie")]).toEqual([
    ...[401, over.body.error.code, over.headers.get("set-cookie")],
  ]);
  const unknown = new URL(unused.body.url);
  unknown.hash = `${unknown.hash.slice(0, -12)}${"0".repeat(12)}`;
  const [link, other] = [await enter(api.url, unused.body.url), await enter(api.url, unknown.href)];
  const errorOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
  expect([link.status, await errorOf(link)]).toEqual([other.status, await errorOf(other)]);
  expect((await postToMcp(api.url, { authorization: `Bearer ${who.key}` })).status).toBe(401);
  await expect(client.listTools()).rejects.toThrow();
  await deletions.end(who.organisation.id);
  expect(await rowsOf(db, who.organisation.id)).toEqual([]);
});

test("a part of the audit stream that is under way ends without a trace, and no further part follows", async () => {
  const { db } = office;
  const who = await customer(office);
  const { id } = who.organisation;
  let answer: ServerResponse | undefined;
  const hook = office.hook((_request, response) => {
    answer = response;
  });
  await who.ask("POST", "/audit/stream", { url: hook.url });
  await deletions.checkpoints.run();
  const worker = await testWorker(db, office.settings, []);
  try {
    await eventually(async () => answer !== undefined);
    await deletions.hide(who.organisation.id);
    await deletions.begin(id);
    answer?.writeHead(200).end();
    const jobs = () =>
      db.sql("select from graphile_worker._private_jobs where payload ->> 'organisationId' = $1", [id]);
    await eventually(async () => (await jobs()).length === 0);
    await deletions.end(id);
    expect(await rowsOf(db, id)).toEqual([]);
    expect(partsOf(hook)).toHaveLength(1);
    expect(await jobs()).toEqual([]);
  } finally {
    await worker.stop();
  }
});
