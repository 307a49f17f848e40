/** Which requests the client retries, and when, against a server with scripted failures. */
import { BotsteadError, type Client, createClient } from "../../src/client/index.ts";
import { type RefusalCode, refusals } from "../../src/contract/refusals.ts";
import {
  answers,
  hangsUp,
  refuses,
  type ScriptedServer,
  type Step,
  saysNothing,
  startScriptedServer,
} from "../support/scripted-server.ts";

let server: ScriptedServer;
const id = "01890000-0000-7000-8000-000000000000";
const fine = answers(200, { id });

beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

function client(settings: Partial<Parameters<typeof createClient>[0]> = {}): Client {
  return createClient({ baseUrl: server.url, key: "bsk_test", backoffMs: 1, ...settings });
}

const calls = {
  GET: (with_ = client()) => with_.get("/runs/{id}", { path: { id } }),
  POST: (with_ = client()) => with_.post("/runs", { body: { botId: id, message: "Hello" } }),
  PATCH: (with_ = client()) => with_.patch("/memories/{id}", { path: { id }, body: { value: "New" } }),
  DELETE: (with_ = client()) => with_.delete("/memories/{id}", { path: { id } }),
};
type Verb = keyof typeof calls;

async function errorOf(call: Promise<unknown>): Promise<BotsteadError> {
  const error = await call.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(BotsteadError);
  return error;
}

const badGateway: Step = (_request, response) =>
  response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");

describe.each<[string, Step]>([
  ["a connection that is cut", hangsUp],
  ["unavailable", refuses("unavailable")],
  ["a balancer's 502", badGateway],
])("after %s", (_what, fault) => {
  test.each<Verb>(["GET", "POST"])("the client retries a %s", async (verb) => {
    server.script.push(fault, fault, fine);
    expect(await calls[verb]()).toEqual({ id });
    expect(server.seen.map(({ method }) => method)).toEqual([verb, verb, verb]);
  });

  test.each<Verb>(["PATCH", "DELETE"])("the client does not retry a %s, which may have taken effect", async (verb) => {
    server.script.push(fault, fine);
    const error = await errorOf(calls[verb]());
    expect(error).toMatchObject({ retryable: true, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });
});

test.each<Verb>(["GET", "POST", "PATCH", "DELETE"])(
  "the client retries a %s that the rate limit refused",
  async (verb) => {
    server.script.push(refuses("rate_limited", { "retry-after": "0" }), fine);
    expect(await calls[verb]()).toEqual({ id });
    expect(server.seen).toHaveLength(2);
  },
);

test.each<Verb>(["GET", "POST", "PATCH", "DELETE"])("the client retries a %s that reached no server", async (verb) => {
  server.script.push(fine);
  const gone = await startScriptedServer();
  await gone.close();
  let tries = 0;
  const thereAtLast: typeof fetch = (url, init) => fetch(++tries < 3 ? gone.url : url, init);
  expect(await calls[verb](client({ fetch: thereAtLast }))).toEqual({ id });
  expect([tries, server.seen.length]).toEqual([3, 1]);
  expect(await errorOf(calls[verb](client({ baseUrl: gone.url })))).toMatchObject({
    code: "network",
    message: "The API could not be reached (ECONNREFUSED).",
    attempts: 4,
  });
});

test("a POST keeps its Idempotency-Key over all attempts, and the next POST has another", async () => {
  server.script.push(hangsUp, refuses("idempotency_in_progress"), fine, fine);
  await calls.POST();
  await calls.POST();
  const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test("only POSTs carry an Idempotency-Key", async () => {
  server.script.push(fine);
  for (const verb of ["GET", "PATCH", "DELETE"] as const) await calls[verb]();
  expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, undefined, undefined]);
});

const final = (Object.keys(refusals) as RefusalCode[]).filter(
  (code) => !["rate_limited", "unavailable", "idempotency_in_progress"].includes(code),
);
test.each(final)("the client does not retry after %s", async (code) => {
  server.script.push(refuses(code), fine);
  for (const verb of ["GET", "POST"] as const) {
    server.seen.length = 0;
    const error = await errorOf(calls[verb]());
    expect(error).toMatchObject({ code, status: refusals[code].status, requestId: "r-1", attempts: 1 });
    expect(error.retryable).toBe(code === "internal");
    expect(server.seen).toHaveLength(1);
  }
});

test("the client waits as long as Retry-After says", async () => {
  server.script.push(refuses("rate_limited", { "retry-after": "1" }), fine);
  await calls.GET();
  const waited = (server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0);
  expect(waited).toBeGreaterThanOrEqual(990);
});

test("the client fails at once if Retry-After exceeds the maximum delay", async () => {
  server.script.push(refuses("rate_limited", { "retry-after": "60" }), fine);
  const error = await errorOf(calls.GET(client({ maxDelayMs: 59_999 })));
  expect(error).toMatchObject({ code: "rate_limited", status: 429, retryable: true, retryAfterMs: 60_000 });
  expect(server.seen).toHaveLength(1);
});

test("delays double from attempt to attempt, with up to 50 % of random reduction", async () => {
  server.script.push(refuses("unavailable"));
  await errorOf(calls.GET(client({ backoffMs: 40 })));
  const waits = server.seen.slice(1).map(({ at }, index) => at - (server.seen[index]?.at ?? 0));
  expect(waits).toHaveLength(3);
  for (const [index, waited] of waits.entries()) expect(waited).toBeGreaterThanOrEqual(20 * 2 ** index - 2);
});

test("the error of the last attempt has the number of attempts; with maxRetries 0 there is one", async () => {
  server.script.push(refuses("unavailable"));
  expect(await errorOf(calls.POST())).toMatchObject({ code: "unavailable", status: 503, attempts: 4, retryable: true });
  expect(server.seen).toHaveLength(4);
  expect(await errorOf(calls.GET(client({ maxRetries: 0 })))).toMatchObject({ attempts: 1 });
  const once = client().get("/runs/{id}", { path: { id }, maxRetries: 0 });
  expect(await errorOf(once)).toMatchObject({ attempts: 1 });
  expect(server.seen).toHaveLength(6);
});

test("the client cancels an attempt at its time-out and retries a GET", async () => {
  server.script.push(saysNothing, fine);
  expect(await calls.GET(client({ timeoutMs: 200 }))).toEqual({ id });
  server.script.splice(0, 2, saysNothing);
  const error = await errorOf(client().patch("/memories/{id}", { path: { id }, body: {}, timeoutMs: 50 }));
  expect(error).toMatchObject({ code: "timeout", status: 0, attempts: 1, retryable: true });
});

test("the caller's signal ends a call that waits for a response, and one that waits for its next attempt", async () => {
  server.script.push((request, _response) => {
    request.socket.on("close", () => {});
    first.abort(new Error("no longer wanted"));
  });
  const first = new AbortController();
  const error = await errorOf(client().get("/runs/{id}", { path: { id }, signal: first.signal }));
  expect(error).toMatchObject({ code: "aborted", status: 0, retryable: false });

  const second = new AbortController();
  server.script.splice(0, 1, (request, response, seen) => {
    refuses("rate_limited", { "retry-after": "50" })(request, response, seen);
    response.once("close", () => setImmediate(() => second.abort()));
  });
  const began = performance.now();
  expect(await errorOf(client().get("/runs/{id}", { path: { id }, signal: second.signal }))).toMatchObject({
    code: "aborted",
  });
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(server.seen).toHaveLength(2);
});

test("a response that is not JSON throws an error of its own, without the key", async () => {
  server.script.push((_request, response) => response.writeHead(200).end("<html>Log in to the WiFi</html>"));
  const error = await errorOf(calls.GET());
  expect(error).toMatchObject({ code: "unexpected_answer", status: 200, retryable: false });
  expect(JSON.stringify(error) + error.stack).not.toContain("bsk_test");
});

test("the client follows no redirect, so that the key reaches no other server", async () => {
  server.script.push((_request, response) => response.writeHead(307, { location: `${server.url}/elsewhere` }).end());
  expect(await errorOf(calls.GET())).toMatchObject({ code: "unexpected_answer", status: 307 });
  expect(server.seen).toHaveLength(1);
});

test("a path parameter that would change the route is refused before any request", async () => {
  server.script.push(fine);
  for (const part of ["", ".", ".."]) {
    await expect(client().get("/runs/{id}", { path: { id: part } })).rejects.toThrow(TypeError);
  }
  await client().get("/runs/{id}", { path: { id: "../keys?x=1#y" } });
  expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/runs/..%2Fkeys%3Fx%3D1%23y"]);
});

test("baseUrl is accepted with or without /api/v1, and with a path prefix", async () => {
  server.script.push(fine);
  for (const baseUrl of ["", "/", "/api/v1", "/api/v1/", "/botstead"]) {
    await calls.GET(client({ baseUrl: server.url + baseUrl }));
  }
  const under = `/api/v1/runs/${id}`;
  expect(server.seen.map(({ url }) => url)).toEqual([under, under, under, under, `/botstead${under}`]);
  expect(() => client({ baseUrl: "botstead.example" })).toThrow(TypeError);
  expect(() => client({ baseUrl: "ftp://botstead.example" })).toThrow(TypeError);
  expect(() => client({ key: "" })).toThrow(TypeError);
});
