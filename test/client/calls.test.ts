/** The client against the real API: requests, answers and lists. */
import { randomUUID } from "node:crypto";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { BotsteadError, type Client, createClient } from "../../src/client/index.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { untilReadable } from "../support/events.ts";

const here = apiOfFile();
const clientOf = (member: Member, more = {}): Client =>
  createClient({ baseUrl: here.api.url, key: member.key.text, backoffMs: 1, ...more });

const memory = (value: string) => ({ scope: "organisation" as const, kind: "fact", subject: "Harbour", value });

/** Records the URLs of requests. */
function counting() {
  const urls: string[] = [];
  const counted: typeof fetch = (url, init) => {
    urls.push(String(url));
    return fetch(url, init);
  };
  return { urls, fetch: counted };
}

test("post, get, patch and delete create, read, change and delete a memory", async () => {
  const ada = clientOf(await here.owner("write"));
  const made = await ada.post("/memories", { body: memory("Two cranes") });
  const path = { id: made.id };
  expect(await ada.get("/memories/{id}", { path })).toEqual(made);
  expect(await ada.patch("/memories/{id}", { path, body: { value: "Three cranes" } })).toEqual({
    ...made,
    value: "Three cranes",
  });
  expect(await ada.delete("/memories/{id}", { path })).toEqual({ id: made.id, deleted: true });
  await expect(ada.get("/memories/{id}", { path })).rejects.toMatchObject({ code: "not_found", status: 404 });
});

test("a refusal throws BotsteadError with code, status, details and request id", async () => {
  const ada = clientOf(await here.owner());
  const call = ada.post("/keys", { body: { name: "", expiresInDays: 0 } });
  const error: BotsteadError = await call.then(
    () => Promise.reject(new Error("it was not refused")),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(BotsteadError);
  expect(error).toMatchObject({ code: "invalid_request", status: 400, retryable: false, attempts: 1 });
  expect(error.details.map(({ path }) => path).sort()).toEqual(["body.expiresInDays", "body.name"]);
  expect(error.message).toContain("body.name must have 1 to 60 characters.");
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

test("two POSTs have different Idempotency-Keys; with the same key the second is a replay", async () => {
  const member = await here.owner("write");
  const ada = clientOf(member);
  const body = memory("Two cranes");
  await ada.post("/memories", { body });
  await ada.post("/memories", { body });
  expect((await ada.get("/memories")).data).toHaveLength(2);

  const idempotencyKey = randomUUID();
  const first = await ada.request("post", "/memories", { body, idempotencyKey });
  const again = await ada.request("post", "/memories", { body, idempotencyKey });
  expect([first.status, first.replayed, again.replayed]).toEqual([201, false, true]);
  expect(again.body).toEqual(first.body);
  expect(again.requestId).toBe(first.requestId);
  expect((await ada.get("/memories")).data).toHaveLength(3);
});

test("post retries after a lost response and creates one memory", async () => {
  const member = await here.owner("write");
  let lost = 0;
  const wire = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onwards = forward(new URL(url ?? "", here.api.url), { method, headers }, (answer) => {
      answer.resume().once("end", () => {
        lost += 1;
        outgoing.destroy(); // the API has answered, but the client never gets the response
      });
    });
    incoming.pipe(onwards);
  });
  await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
  const lossy = `http://127.0.0.1:${(wire.address() as AddressInfo).port}`;
  const losesTwo: typeof fetch = (url, init) => fetch(lost < 2 ? String(url).replace(here.api.url, lossy) : url, init);
  const ada = clientOf(member, { fetch: losesTwo });

  const { body, replayed } = await ada.request("post", "/memories", { body: memory("Two cranes") });
  wire.close();
  expect([lost, replayed]).toEqual([2, true]);
  expect((await ada.get("/memories")).data).toEqual([body]);
});

test("list yields each row once, page by page", async () => {
  const ada = await here.owner("write");
  for (let each = 1; each <= 7; each += 1) await clientOf(ada).post("/memories", { body: memory(`Crane ${each}`) });
  const { urls, fetch } = counting();
  const values: string[] = [];
  for await (const { value } of clientOf(ada, { fetch }).list("/memories", {
    query: { limit: 3, scope: "organisation" },
  })) {
    values.push(value);
  }
  expect(values).toEqual([7, 6, 5, 4, 3, 2, 1].map((each) => `Crane ${each}`));
  expect(urls).toHaveLength(3);
  for (const url of urls) expect(url).toContain("limit=3&scope=organisation");
});

test("list fetches a page only when it is needed", async () => {
  const ada = await here.owner("write");
  for (let each = 1; each <= 5; each += 1) await clientOf(ada).post("/memories", { body: memory(`Crane ${each}`) });
  const { urls, fetch } = counting();
  const rows = clientOf(ada, { fetch }).list("/memories", { query: { limit: 2 } });
  expect(urls).toHaveLength(0);
  for await (const { value } of rows) if (value === "Crane 4") break;
  expect(urls).toHaveLength(1);
});

test("pages yields whole pages, and continues after a cursor", async () => {
  const ada = await here.owner("write");
  for (let each = 1; each <= 5; each += 1) await clientOf(ada).post("/memories", { body: memory(`Crane ${each}`) });
  const sizes: number[] = [];
  let cursor: string | undefined;
  for await (const page of clientOf(ada).pages("/memories", { query: { limit: 2 } })) {
    sizes.push(page.data.length);
    cursor ??= page.nextCursor ?? undefined;
  }
  expect(sizes).toEqual([2, 2, 1]);
  const rest = [];
  for await (const { value } of clientOf(ada).list("/memories", { query: { cursor } })) rest.push(value);
  expect(rest).toEqual(["Crane 3", "Crane 2", "Crane 1"]);
});

test("get reads the event feed from a stored cursor, and `list` does not accept the feed", async () => {
  const ada = await here.owner();
  const client = clientOf(ada);
  // @ts-expect-error: a walk over them would never end
  client.list("/events");
  const bot = await client.post("/bots", { body: { name: "Ada" } });
  const finish = async () => {
    const run = await client.post("/runs", { body: { botId: bot.id, message: "Hi" } });
    await client.post("/runs/{id}/cancel", { path: { id: run.id } });
    await untilReadable(here.db, { organisationId: ada.organisation.id });
    return run.id;
  };
  const [first, second] = [await finish(), await finish()];
  const page = await client.get("/events", { query: { limit: 1 } });
  const next = await client.get("/events", { query: { after: page.nextCursor } });
  const third = await finish();
  const later = await client.get("/events", { query: { after: next.nextCursor, event: "run.finished" } });
  const runs = [page, next, later].flatMap(({ data }) =>
    data.map((one) => one.event === "run.finished" && one.data.runId),
  );
  expect(runs).toEqual([first, second, third]);
  expect([page.hasMore, next.hasMore, later.hasMore]).toEqual([true, false, false]);
});

test("an empty list yields no rows, and a refused list throws on iteration", async () => {
  const ada = await here.owner("read");
  const rows = [];
  for await (const row of clientOf(ada).list("/memories")) rows.push(row);
  expect(rows).toEqual([]);
  await expect(clientOf(ada).list("/keys").next()).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
});

test("a platform key creates an organisation with the same client", async () => {
  const platform = createClient({ baseUrl: here.api.url, key: (await here.platform()).key.text });
  const body = { name: "Acme", owner: { email: `client.${process.pid}@example.test` } };
  const created = await platform.post("/platform/organisations", { body });
  expect(created).toMatchObject({ name: "Acme", kind: "team" });
  const { key } = await platform.post("/platform/organisations/{id}/owner-key", { path: { id: created.id }, body: {} });
  const me = await createClient({ baseUrl: here.api.url, key }).get("/me");
  expect(me.organisation.id).toBe(created.id);
});

test("the option `fetch` replaces the global function", async () => {
  const dispatcher = new Agent();
  const through = (url: string | URL, init: RequestInit) => undiciFetch(url, { ...init, dispatcher } as object);
  const ada = clientOf(await here.owner("write"), { fetch: through });
  const { id } = await ada.post("/memories", { body: memory("Four cranes") });
  expect(await ada.get("/memories/{id}", { path: { id } })).toMatchObject({ id, value: "Four cranes" });
  await dispatcher.close();
});
