/** Memories in conflict. (docs/specification/memories.md#conflicts) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "policy", subject: "Opening hours", value: "Nine to five" };
const past = "2001-01-01T00:00:00.000Z";
const future = "2999-01-01T00:00:00.000Z";

const create = async (who: Member, more: object = {}): Promise<Json> =>
  expectAnswer("create_memory", await who.post("/memories", { ...newMemory, ...more }));
const read = async (who: Member, id: string): Promise<Json> =>
  expectAnswer("get_memory", await who.get(`/memories/${id}`));
const conflicts = async (who: Member, more = ""): Promise<Json[]> =>
  expectAnswer("list_memories", await who.get(`/memories?conflicts=true${more}`)).data;
const ids = (rows: Json[]) => rows.map(({ id }) => id);

test("create_memory, get_memory and conflicts=true name the memories that say something else", async () => {
  const ada = await here.owner("write");
  const first = await create(ada);
  expect(first).not.toHaveProperty("conflictsWith");
  const second = await create(ada, { kind: "Policy", subject: "opening-hours", value: "Ten to six" });
  expect(second.conflictsWith).toEqual([first.id]);
  const third = await create(ada, { value: "Always" });
  expect(third.conflictsWith).toEqual([second.id, first.id]);
  expect(await read(ada, first.id)).toEqual({ ...first, conflictsWith: [third.id, second.id] });
  await create(ada, { subject: "Lunch" });
  expect(await conflicts(ada)).toEqual([
    third,
    { ...second, conflictsWith: [third.id, first.id] },
    { ...first, conflictsWith: [third.id, second.id] },
  ]);
  const rows = expectAnswer("list_memories", await ada.get("/memories?subject=opening hours")).data;
  expect(rows.some((row: Json) => "conflictsWith" in row)).toBe(false);
});

test.each<[string, object]>([
  ["the same value in another spelling", { value: "NINE – to – five" }],
  ["another kind", { kind: "plan", value: "Other" }],
  ["another subject", { subject: "Closing hours", value: "Other" }],
  ["another kind of subject", { subjectKind: "third_party", value: "Other" }],
  ["a memory that has ended", { validFrom: past, validTo: "2002-01-01T00:00:00Z", value: "Other" }],
  ["a memory that is not valid yet", { validFrom: future, value: "Other" }],
])("%s is no conflict", async (_name, more) => {
  const ada = await here.owner("write");
  const [first, second] = [await create(ada), await create(ada, more)];
  for (const { id } of [first, second]) expect(await read(ada, id)).not.toHaveProperty("conflictsWith");
  expect(await conflicts(ada)).toEqual([]);
});

test("memories of other bots, of all, and of other organisations are in no conflict", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bots = [];
  for (const name of ["Ada", "Bob"]) bots.push(expectAnswer("create_bot", await ada.post("/bots", { name })).id);
  const made = [
    await create(ada, { value: "1" }),
    await create(ada, { value: "2", scope: "bot", botId: bots[0] }),
    await create(ada, { value: "3", scope: "bot", botId: bots[1] }),
  ];
  await create(eve, { value: "4" });
  for (const { id } of made) expect(await read(ada, id)).not.toHaveProperty("conflictsWith");
  const other = await create(ada, { value: "5", scope: "bot", botId: bots[0] });
  expect(ids(await conflicts(ada))).toEqual([other.id, made[1].id]);
  expect(ids(await conflicts(ada, `&botId=${bots[1]}`))).toEqual([]);
  expect(ids(await conflicts(ada, `&botId=${bots[0]}&subject=OPENING HOURS&kind=policy&limit=1`))).toEqual([other.id]);
  expect(await conflicts(eve)).toEqual([]);
});

test("a caller learns of no conflict of memories that they cannot read", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { id: botId } = expectAnswer("create_bot", await ada.post("/bots", { name: "Ada", visibility: "personal" }));
  for (const value of ["1", "2"]) await create(ada, { scope: "bot", botId, value });
  const member = (value: string) =>
    here.db.sql(
      `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
       values ($1, 'member', $2, 'policy', 'Opening hours', $3, 'member', 'app')`,
      [ada.organisation.id, ada.organisation.ownerId, value],
    );
  await member("3");
  await member("4");
  const ofAll = await create(bob, { value: "5" });
  expect(ofAll).not.toHaveProperty("conflictsWith");
  expect(await read(bob, ofAll.id)).toEqual(ofAll);
  expect(await conflicts(bob)).toEqual([]);
  expect(await conflicts(ada)).toHaveLength(4);
});

test.each<[string, (ada: Member, id: string, other: string) => Promise<unknown>]>([
  ["the same value", (ada, id) => ada.patch(`/memories/${id}`, { value: "Ten to six" })],
  ["an end", (ada, id) => ada.patch(`/memories/${id}`, { validTo: past })],
  ["a later beginning", (ada, id) => ada.patch(`/memories/${id}`, { validFrom: future })],
  ["a deletion", (ada, id) => ada.delete(`/memories/${id}`)],
  ["a successor", (ada, id) => ada.post("/memories", { ...newMemory, value: "Ten to six", supersedes: id })],
])("%s ends the conflict", async (_name, end) => {
  const ada = await here.owner("write");
  const [first, second] = [await create(ada), await create(ada, { value: "Ten to six" })];
  expect(ids(await conflicts(ada))).toEqual([second.id, first.id]);
  await end(ada, first.id, second.id);
  expect(await conflicts(ada)).toEqual([]);
  expect(await read(ada, second.id)).not.toHaveProperty("conflictsWith");
});

test("update_memory begins a conflict, and names it", async () => {
  const ada = await here.owner("write");
  const [first, second] = [await create(ada), await create(ada)];
  const changed = expectAnswer("update_memory", await ada.patch(`/memories/${first.id}`, { value: "Ten to six" }));
  expect(changed.conflictsWith).toEqual([second.id]);
  expect(ids(await conflicts(ada))).toEqual([second.id, first.id]);
  await ada.patch(`/memories/${second.id}`, { validTo: past });
  await ada.patch(`/memories/${second.id}`, { validTo: null });
  expect(ids(await conflicts(ada))).toEqual([second.id, first.id]);
});

test("a memory names at most the newest 20 memories, and pages list all once", async () => {
  const ada = await here.owner("write");
  const operations = Array.from({ length: 25 }, (_, number) => ({
    method: "POST",
    path: "/memories",
    body: { ...newMemory, value: `Value ${number}` },
  }));
  const { results } = expectAnswer("batch", await ada.post("/batch", { operations }));
  const made: string[] = results.map(({ body }: Json) => body.id);
  expect(results[2].body.conflictsWith).toEqual([made[1], made[0]]);
  expect((await read(ada, made[0] ?? "")).conflictsWith).toEqual(made.slice(5).reverse());
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const page = expectAnswer("list_memories", await ada.get(`/memories?conflicts=true&limit=10${cursor}`));
    seen.push(...ids(page.data));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(made.toReversed());
});

test("a memory is compared with the newest 100 about its subject, and with no older one", async () => {
  const ada = await here.owner();
  const other = await create(ada, { value: "Other" });
  const memories = Array.from({ length: 99 }, (_, number) => ({ ...newMemory, externalId: `import-${number}` }));
  const { results } = expectAnswer("import_memories", await ada.post("/memories/import", { memories }));
  expect((await read(ada, results.at(-1).id)).conflictsWith).toEqual([other.id]);
  expect(await create(ada)).not.toHaveProperty("conflictsWith");
  expect((await read(ada, other.id)).conflictsWith).toHaveLength(20);
});

test("all memories of an import are listed, also beyond the newest 100 about their subject", async () => {
  const ada = await here.owner();
  const memories = Array.from({ length: 130 }, (_, number) => ({
    ...newMemory,
    externalId: `import-${number}`,
    value: `Room ${number}`,
  }));
  expectAnswer("import_memories", await ada.post("/memories/import", { memories }));
  const first = expectAnswer("list_memories", await ada.get("/memories?limit=200")).data.at(-1);
  expect((await read(ada, first.id)).conflictsWith).toHaveLength(20);
  expect(await conflicts(ada, "&limit=200")).toHaveLength(130);
});

test("a conflict changes no revision, writes no history and no audit entry", async () => {
  const ada = await here.owner();
  const first = await create(ada);
  const tag = (await ada.get(`/memories/${first.id}`)).headers.get("etag") ?? "";
  await create(ada, { value: "Ten to six" });
  const read = await ada.get(`/memories/${first.id}`);
  expect(read.body.conflictsWith).toHaveLength(1);
  expect(read.headers.get("etag")).toBe(tag);
  expectAnswer(
    "update_memory",
    await ada.patch(`/memories/${first.id}`, { confidence: 0.5 }, { headers: { "if-match": tag } }),
  );
  expect(expectAnswer("list_memory_history", await ada.get(`/memories/${first.id}/history`)).data).toHaveLength(1);
  const entries = expectAnswer("list_audit", await ada.get(`/audit?resourceId=${first.id}`)).data;
  expect(entries.map(({ changed }: Json) => changed)).toEqual([["confidence"], []]);
});

test("the job that rebuilds search vectors marks contradictions from before the mark, in parts", async () => {
  const ada = await here.owner("write");
  const made = [];
  for (const value of ["1", "2", "3"]) made.push((await create(ada, { value })).id);
  const other = await create(ada, { subject: "Lunch" });
  await here.db.sql(
    `begin; set local session_replication_role = replica; update app.memories set contested = false where organisation_id = '${ada.organisation.id}'; commit`,
  );
  expect(await conflicts(ada)).toEqual([]);
  for (let after: string | null = "00000000-0000-0000-0000-000000000000"; after; ) {
    const [part]: { reached: string | null }[] = await here.db.sql(
      "select jobs.rebuild_search_vectors($1, $2, 2) as reached",
      [ada.organisation.id, after],
    );
    after = part?.reached ?? null;
  }
  expect(ids(await conflicts(ada))).toEqual(made.toReversed());
  expect(ids(await conflicts(ada))).not.toContain(other.id);
});

test("conflicts cannot be combined with q or asOf, and false is no filter", async () => {
  const ada = await here.owner("write");
  const { id } = await create(ada);
  for (const query of ["q=hours", `asOf=${past}`])
    expectRefusal(await ada.get(`/memories?conflicts=true&${query}`), "invalid_request", ["query.conflicts"]);
  expectRefusal(await ada.get("/memories?conflicts=yes"), "invalid_request", ["query.conflicts"]);
  expect(ids(expectAnswer("list_memories", await ada.get("/memories?conflicts=false")).data)).toEqual([id]);
});
