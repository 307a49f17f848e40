/** What only the TypeScript client has: signals and a replaced `fetch`. Its other tests are in cases.json. */
import { Agent, fetch as undiciFetch } from "undici";
import { type BotsteadError, type Client, createClient } from "../../src/client/index.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { refuses, type ScriptedServer, startScriptedServer } from "../support/scripted-server.ts";

const here = apiOfFile();
const clientOf = (member: Member, more = {}): Client =>
  createClient({ baseUrl: here.api.url, key: member.key.text, backoffMs: 1, ...more });

test("get reads the event feed from a stored position, and `list` reads it to its end", async () => {
  const ada = await here.owner();
  const client = clientOf(ada);
  const bot = await client.post("/bots", { body: { name: "Ada" } });
  const finish = async () => {
    const run = await client.post("/runs", { body: { botId: bot.id, message: "Hi" } });
    await client.post("/runs/{id}/cancel", { path: { id: run.id } });
    return run.id;
  };
  const [first, second] = [await finish(), await finish()];
  const page = await client.get("/events", { query: { limit: 1 } });
  const next = await client.get("/events", { query: { after: page.position } });
  const third = await finish();
  const later = await client.get("/events", { query: { after: next.position, event: "run.finished" } });
  const runs = [page, next, later].flatMap(({ data }) =>
    data.map((one) => one.event === "run.finished" && one.data.runId),
  );
  expect(runs).toEqual([first, second, third]);
  expect([page.nextCursor, next.nextCursor, later.nextCursor]).toEqual([page.position, null, null]);
  const since: unknown[] = [];
  for await (const one of client.list("/events", { query: { after: page.position, limit: 1 } })) {
    since.push(one.event === "run.finished" && one.data.runId);
  }
  expect(since).toEqual([second, third]);
});

test("the option `fetch` replaces the global function", async () => {
  const dispatcher = new Agent();
  const through = (url: string | URL, init: RequestInit) => undiciFetch(url, { ...init, dispatcher } as object);
  const ada = clientOf(await here.owner("write"), { fetch: through });
  const body = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Four cranes" } as const;
  const { id } = await ada.post("/memories", { body });
  expect(await ada.get("/memories/{id}", { path: { id } })).toMatchObject({ id, value: "Four cranes" });
  await dispatcher.close();
});

describe("the caller's signal", () => {
  const id = "01890000-0000-7000-8000-000000000000";
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const errorOf = (signal: AbortSignal): Promise<BotsteadError> =>
    createClient({ baseUrl: server.url, key: "bsk_test" })
      .get("/runs/{id}", { path: { id }, signal })
      .then(
        () => Promise.reject(new Error("it was not aborted")),
        (thrown) => thrown,
      );

  test("ends a call that waits for a response", async () => {
    const ending = new AbortController();
    server.script.push(() => ending.abort(new Error("no longer wanted")));
    expect(await errorOf(ending.signal)).toMatchObject({ code: "aborted", status: 0, retryable: false });
  });

  test("ends a call that waits for its next attempt", async () => {
    const ending = new AbortController();
    server.script.push((request, response, seen) => {
      refuses("rate_limited", { "retry-after": "50" })(request, response, seen);
      response.once("close", () => setImmediate(() => ending.abort()));
    });
    expect(await errorOf(ending.signal)).toMatchObject({ code: "aborted" });
    expect(server.seen).toHaveLength(1);
  });
});
