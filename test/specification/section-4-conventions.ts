import { randomUUID } from "node:crypto";
import type { Json } from "../support/api.ts";
import { type Answer, countsOf, expectRefused, expectSuccess, manyTimes } from "./client.ts";
import { aBot, anOrganisation, another, type Client, call, type Organisation } from "./service.ts";
import { specifies } from "./specified.ts";

const aMemory = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Closes at nine" };

function expectReplay(again: Answer, first: Answer): void {
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([null, "true"]);
}

/** All rows, page by page. */
async function pagesOf({ get }: Client, path: string, limit: number): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Json = expectSuccess(await get(`${path}?limit=${limit}&cursor=${encodeURIComponent(cursor)}`));
    expect(Object.keys(page).sort()).toEqual(["data", "nextCursor"]);
    pages.push(page.data);
    cursor = page.nextCursor;
  }
  return pages;
}

async function manyBots(ours: Organisation, count: number): Promise<string[]> {
  const operations = Array.from({ length: count }, (_, number) => ({
    method: "POST",
    path: "/bots",
    body: { name: `Bot ${number}` },
  }));
  const { results } = expectSuccess(await ours.post("/batch", { operations }));
  return results.map(({ body }: Json) => body.id);
}

specifies("4-lists", async () => {
  const ours = await anOrganisation();
  const ids = await manyBots(ours, 5);
  const pages = await pagesOf(ours, "/bots", 2);
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
});

specifies("4-list-limit", async () => {
  const ours = await anOrganisation();
  for (let times = 0; times < 5; times += 1) await manyBots(ours, times < 4 ? 50 : 1);
  const rows = async (query: string) => expectSuccess(await ours.get(`/bots${query}`)).data.length;
  expect(await rows("")).toBe(50);
  expect(await rows("?limit=1")).toBe(1);
  expect(await rows("?limit=200")).toBe(200);
  for (const limit of ["0", "201", "-1", "1.5", "x", ""]) {
    expectRefused(await ours.get(`/bots?limit=${limit}`), 400, "invalid_request", ["query.limit"]);
  }
});

specifies("4-cursor", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const foreign = await manyBots(theirs, 3);
  const { nextCursor } = expectSuccess(await theirs.get("/bots?limit=1"));
  await manyBots(ours, 2);
  const seen = expectSuccess(await ours.get(`/bots?cursor=${encodeURIComponent(nextCursor)}`)).data;
  expect(seen.filter(({ id }: Json) => foreign.includes(id))).toEqual([]);
  expectRefused(await ours.get("/bots?cursor=nonsense"), 400, "invalid_request", ["query.cursor"]);
  const ofAnother = `/memories?cursor=${encodeURIComponent(nextCursor)}`;
  expectRefused(await ours.get(ofAnother), 400, "invalid_request", ["query.cursor"]);
});

specifies("4-idempotency-key-required", async () => {
  const ours = await anOrganisation();
  const none = { idempotencyKey: null };
  for (const path of ["/keys", "/memories", "/runs", "/webhooks", "/invitations", "/batch", "/bots"]) {
    const refused = await ours.post(path, {}, none);
    expectRefused(refused, 400, "invalid_request");
    expect(refused.body.error.details).toContainEqual({ path: "headers.idempotency-key", message: expect.any(String) });
  }
  for (const idempotencyKey of ["x", "~".repeat(255)]) {
    expectSuccess(await ours.post("/bots", { name: "Guide" }, { idempotencyKey }), 201);
  }
  const tooLong = await ours.post("/bots", { name: "Guide" }, { idempotencyKey: "x".repeat(256) });
  expectRefused(tooLong, 400, "invalid_request", ["headers.idempotency-key"]);
});

specifies("4-replay", async () => {
  const ours = await anOrganisation();
  const idempotencyKey = randomUUID();
  const first = await ours.post("/memories", aMemory, { idempotencyKey });
  expectSuccess(first, 201);
  expectReplay(await ours.post("/memories", aMemory, { idempotencyKey }), first);
  expect(expectSuccess(await ours.get("/memories")).data).toHaveLength(1);
});

specifies("4-replay-of-secret", async () => {
  const ours = await anOrganisation();
  const hook = { url: "https://receiver.example/", events: ["run.finished"] };
  for (const [path, body] of [
    ["/keys", { name: "Once" }],
    ["/webhooks", hook],
  ] as const) {
    const idempotencyKey = randomUUID();
    const first = await ours.post(path, body, { idempotencyKey });
    expectSuccess(first, 201);
    expectReplay(await ours.post(path, body, { idempotencyKey }), first);
  }
  expect(expectSuccess(await ours.get("/webhooks")).data).toHaveLength(1);
});

specifies("4-replay-mismatch", async () => {
  const ours = await anOrganisation();
  const idempotencyKey = randomUUID();
  expectSuccess(await ours.post("/memories", aMemory, { idempotencyKey }), 201);
  const other = { ...aMemory, value: "Closes at ten" };
  expectRefused(await ours.post("/memories", other, { idempotencyKey }), 422, "idempotency_mismatch");
  expectRefused(await ours.post("/bots", { name: "Guide" }, { idempotencyKey }), 422, "idempotency_mismatch");
  expect(expectSuccess(await ours.get("/memories")).data).toHaveLength(1);
  expect(expectSuccess(await ours.get("/bots")).data).toEqual([]);
});

specifies("4-replay-of-refusal", async () => {
  const ours = await anOrganisation();
  const botId = randomUUID();
  for (const [body, status, code] of [
    [{ ...aMemory, kind: "" }, 400, "invalid_request"],
    [{ ...aMemory, scope: "bot", botId }, 404, "not_found"],
    [{ ...aMemory, subjectKind: "third_party", kind: "health" }, 403, "forbidden"],
  ] as const) {
    const idempotencyKey = randomUUID();
    const first = await ours.post("/memories", body, { idempotencyKey });
    expectRefused(first, status, code);
    expectReplay(await ours.post("/memories", body, { idempotencyKey }), first);
  }
});

specifies("4-replay-concurrent", async () => {
  const ours = await anOrganisation();
  const idempotencyKey = randomUUID();
  const answers = await manyTimes(10, () => ours.post("/bots", { name: "Guide" }, { idempotencyKey }));
  for (const answer of answers) {
    if (answer.status === 409) expectRefused(answer, 409, "idempotency_in_progress");
    else expectSuccess(answer, 201);
  }
  expect(countsOf(answers)[201]).toBeGreaterThanOrEqual(1);
  expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
  expect(expectSuccess(await ours.get("/bots")).data).toHaveLength(1);
});

specifies("4-replay-of-each-key", async () => {
  const ours = await anOrganisation();
  const theirs = await another(ours, "write");
  const idempotencyKey = randomUUID();
  for (const { post } of [ours, theirs]) {
    const made = await post("/bots", { name: "Guide" }, { idempotencyKey });
    expectSuccess(made, 201);
    expect(made.headers.get("idempotent-replayed")).toBeNull();
  }
  expect(expectSuccess(await ours.get("/bots")).data).toHaveLength(2);
});

specifies("4-replay-of-batch", async () => {
  const ours = await anOrganisation();
  for (const operations of [
    [{ method: "GET", path: "/bots" }],
    [
      { method: "POST", path: "/bots", body: { name: "Guide" } },
      { method: "GET", path: "/bots" },
    ],
  ]) {
    const idempotencyKey = randomUUID();
    const first = await ours.post("/batch", { operations }, { idempotencyKey });
    expectSuccess(first);
    await aBot(ours);
    expectReplay(await ours.post("/batch", { operations }, { idempotencyKey }), first);
  }
});

/** A message of `bytes` bytes in a body, with another field that fills it up. */
const filled = (body: object, bytes: number): string => {
  const start = `${JSON.stringify(body).slice(0, -1)},"filling":"`;
  return `${start}${"x".repeat(bytes - start.length - 2)}"}`;
};

specifies("4-body-size", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const bodies: [string, object, number][] = [
    ["/memories", aMemory, 201],
    ["/bots", { name: "Guide" }, 201],
    ["/runs", { botId, message: "Hello" }, 202],
    ["/batch", { operations: [{ method: "GET", path: "/bots" }] }, 200],
  ];
  for (const [path, body, status] of bodies) {
    expectSuccess(await ours.post(path, undefined, { raw: filled(body, 1_000_000) }), status);
    expectRefused(await ours.post(path, undefined, { raw: filled(body, 1_048_577) }), 413, "payload_too_large");
  }
});

specifies("4-unknown-fields", async () => {
  const ours = await anOrganisation();
  const bot = expectSuccess(await ours.post("/bots?unknown=1", { name: "Guide", unknown: 1 }), 201);
  expect(bot).not.toHaveProperty("unknown");
  expectSuccess(await ours.get("/bots?unknown=1"));
  expectRefused(await ours.patch(`/bots/${bot.id}`, { unknown: 1 }), 400, "invalid_request");
});

specifies("4-create-location", async () => {
  const ours = await anOrganisation();
  const made = await ours.post("/bots", { name: "Guide" });
  expectSuccess(made, 201);
  expect(made.headers.get("location")).toMatch(new RegExp(`/api/v1/bots/${made.body.id}$`));
  expect(expectSuccess(await ours.delete(`/bots/${made.body.id}`))).toEqual({ id: made.body.id, deleted: true });
  expectRefused(await ours.delete(`/bots/${made.body.id}`), 404, "not_found");
});

specifies("4-text", async () => {
  const ours = await anOrganisation();
  for (const value of ["\\u0000", "\\ud800", "\\udc00x"]) {
    const raw = JSON.stringify({ ...aMemory, value: "?" }).replace("?", value);
    expectRefused(await ours.post("/memories", undefined, { raw }), 400, "invalid_request", ["body.value"]);
  }
});

specifies("4-head", async () => {
  const ours = await anOrganisation();
  for (const path of ["/bots", "/me", "/keys"]) {
    const [head, get] = [await call("HEAD", path, { key: ours.key }), await ours.get(path)];
    expect([path, head.status, head.text]).toEqual([path, 200, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  }
});

specifies("4-batch-results", async () => {
  const ours = await anOrganisation();
  const memory = { method: "POST", path: "/memories", body: { ...aMemory, value: "😀".repeat(4000) } };
  const operations = Array.from({ length: 40 }, () => memory); // 16 KB each
  expectSuccess(await ours.post("/batch", { operations }));
  const read = { method: "GET", path: "/memories?limit=200" };
  const made = { method: "POST", path: "/bots", body: { name: "Guide" } };
  const { results } = expectSuccess(await ours.post("/batch", { operations: [read, read, made] }));
  expect(results.map(({ status }: Json) => status)).toEqual([200, 413, 201]);
});
