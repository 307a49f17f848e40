/** Memories that replace others. (docs/specification/memories.md#superseding) */
import { randomUUID } from "node:crypto";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
const future = "2999-01-01T00:00:00.000Z";

const create = async (who: Member, more: object = {}): Promise<Json> =>
  expectAnswer("create_memory", await who.post("/memories", { ...newMemory, ...more }));
const read = async (who: Member, id: string): Promise<Json> =>
  expectAnswer("get_memory", await who.get(`/memories/${id}`));
const replace = (who: Member, supersedes: string, more: object = {}) =>
  who.post("/memories", { ...newMemory, value: "Ten to six", supersedes, ...more });

test("create_memory with supersedes ends the former memory now, and links both", async () => {
  const ada = await here.owner();
  const former = await create(ada);
  const made = expectAnswer("create_memory", await replace(ada, former.id));
  expect(made).toMatchObject({ supersedes: former.id, supersededBy: null, validFrom: null, validTo: null });
  expect(made).not.toHaveProperty("conflictsWith");
  const ended = await read(ada, former.id);
  expect(ended).toEqual({ ...former, supersededBy: made.id, validTo: expect.any(String) });
  expect(ended.validTo > former.createdAt && ended.validTo <= made.createdAt).toBe(true);
  expect(await read(ada, made.id)).toEqual(made);
  const listed = expectAnswer("list_memories", await ada.get("/memories?current=true")).data;
  expect(listed.map(({ id }: Json) => id)).toEqual([made.id]);
});

test("the former memory ends where the new one begins, and not later than before", async () => {
  const ada = await here.owner("write");
  const [open, ending] = [await create(ada), await create(ada, { validTo: "2100-01-01T00:00:00.000Z" })];
  for (const { id } of [open, ending]) expectAnswer("create_memory", await replace(ada, id, { validFrom: future }));
  expect((await read(ada, open.id)).validTo).toBe(future);
  expect((await read(ada, ending.id)).validTo).toBe("2100-01-01T00:00:00.000Z");
});

test("a chain of memories can be read from both ends, also after one of them is deleted", async () => {
  const ada = await here.owner("write");
  const first = await create(ada);
  const second = expectAnswer("create_memory", await replace(ada, first.id));
  const third = expectAnswer("create_memory", await replace(ada, second.id, { value: "Always" }));
  expect((await read(ada, first.id)).supersededBy).toBe(second.id);
  expect(await read(ada, second.id)).toMatchObject({ supersedes: first.id, supersededBy: third.id });
  expect((await read(ada, third.id)).supersedes).toBe(second.id);
  const ended = (await read(ada, first.id)).validTo;
  expectAnswer("delete_memory", await ada.delete(`/memories/${second.id}`));
  expect(await read(ada, first.id)).toMatchObject({ supersededBy: null, validTo: ended });
  expect((await read(ada, third.id)).supersedes).toBeNull();
});

test("the history and asOf show the former memory before it was replaced", async () => {
  const ada = await here.owner("write");
  const former = await create(ada);
  const [{ at } = { at: "" }] = await here.db.sql<{ at: string }>(
    "select rows.time(clock_timestamp() + interval '2 ms') as at, pg_sleep(0.005)", // sleeps until the instant has passed
  );
  const made = expectAnswer("create_memory", await replace(ada, former.id));
  const [change, ...others] = expectAnswer("list_memory_history", await ada.get(`/memories/${former.id}/history`)).data;
  expect(others).toEqual([]);
  expect(change).toMatchObject({ value: former.value, validTo: null, supersededBy: null });
  expect(expectAnswer("list_memories", await ada.get(`/memories?asOf=${at}&current=true`)).data).toEqual([former]);
  await ada.delete(`/memories/${made.id}`);
  const [removed] = expectAnswer("list_memory_history", await ada.get(`/memories/${former.id}/history`)).data;
  expect(removed.supersededBy).toBe(made.id);
});

describe("a memory that cannot be replaced", () => {
  test.each<[string, (ada: Member) => Promise<string>]>([
    ["has ended", async (ada) => (await create(ada, { validTo: "2001-01-01T00:00:00Z" })).id],
    ["begins later", async (ada) => (await create(ada, { validFrom: future })).id],
    [
      "was replaced",
      async (ada) => {
        const { id } = await create(ada);
        expectAnswer("create_memory", await replace(ada, id, { validFrom: future }));
        return id;
      },
    ],
  ])("%s: 409, and nothing is written", async (_name, prepared) => {
    const ada = await here.owner("write");
    const id = await prepared(ada);
    const before = expectAnswer("list_memories", await ada.get("/memories")).data;
    expectRefusal(await replace(ada, id), "memory_not_current");
    expect(expectAnswer("list_memories", await ada.get("/memories")).data).toEqual(before);
  });

  test("ends before the former would: 400, and nothing is written", async () => {
    const ada = await here.owner("write");
    const { id } = await create(ada);
    expectRefusal(await replace(ada, id, { validTo: "2001-01-01T00:00:00Z" }), "invalid_request", ["body.validTo"]);
    expect(expectAnswer("list_memories", await ada.get("/memories")).data).toHaveLength(1);
  });

  test("belongs to another scope or bot: 409", async () => {
    const ada = await here.owner();
    const bots = [];
    for (const name of ["Ada", "Bob"]) bots.push(expectAnswer("create_bot", await ada.post("/bots", { name })).id);
    const [ofAll, ofBot] = [await create(ada), await create(ada, { scope: "bot", botId: bots[0] })];
    for (const answer of [
      await replace(ada, ofAll.id, { scope: "bot", botId: bots[0] }),
      await replace(ada, ofBot.id),
      await replace(ada, ofBot.id, { scope: "bot", botId: bots[1] }),
    ])
      expectRefusal(answer, "memory_of_another_owner");
    expect(await read(ada, ofBot.id)).toEqual(ofBot);
    expectAnswer("create_memory", await replace(ada, ofBot.id, { scope: "bot", botId: bots[0] }));
  });

  test("is hidden, of another organisation, of the member, or none: as if it were written or read", async () => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    const bob = await here.another(ada, "write", await makeMember(here.db, ada.organisation.id, "admin"));
    const { id: botId } = expectAnswer("create_bot", await ada.post("/bots", { name: "Ada", visibility: "personal" }));
    const ofBot = await create(ada, { scope: "bot", botId });
    const [own] = await here.db.sql<{ id: string }>(
      `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
       values ($1, 'member', $2, 'policy', 'Hours', 'Nine to five', 'member', 'app') returning id`,
      [ada.organisation.id, ada.organisation.ownerId],
    );
    const theirs = await create(eve);
    for (const id of [ofBot.id, own?.id ?? "", theirs.id, randomUUID()])
      expectRefusal(await replace(bob, id), "not_found");
    expectRefusal(await replace(ada, own?.id ?? ""), "member_memory");
    expect(await read(ada, ofBot.id)).toEqual(ofBot);
    expect(await read(eve, theirs.id)).toEqual(theirs);
    expectRefusal(await replace(ada, "ada"), "invalid_request", ["body.supersedes"]);
  });
});

test("a batch replaces one memory after another, and refuses the second successor of one", async () => {
  const ada = await here.owner("write");
  const former = await create(ada);
  const operations = ["a", "b"].map((value) => ({
    method: "POST",
    path: "/memories",
    body: { ...newMemory, value, supersedes: former.id },
  }));
  const { results } = expectAnswer("batch", await ada.post("/batch", { operations }));
  expect(results.map(({ status }: Json) => status)).toEqual([201, 409]);
  expect((await read(ada, former.id)).supersededBy).toBe(results[0].body.id);
});

test("a replaced memory writes audit entries and events of both memories in one transaction", async () => {
  const ada = await here.owner();
  const hook = { url: "https://receiver.example/", events: ["memory.created", "memory.updated"] };
  expectAnswer("create_webhook", await ada.post("/webhooks", hook));
  const former = await create(ada);
  const made = expectAnswer("create_memory", await replace(ada, former.id));
  const entries = expectAnswer("list_audit", await ada.get("/audit?resource=memory")).data;
  expect(entries.slice(0, 2)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: "created", resourceId: made.id }),
      expect.objectContaining({
        action: "updated",
        resourceId: former.id,
        changed: ["validTo", "supersededBy"],
        before: { validTo: null, supersededBy: null },
        after: { validTo: (await read(ada, former.id)).validTo, supersededBy: made.id },
      }),
    ]),
  );
  const events = await here.db.sql<Json>(
    "select kind, data, xmin::text as transaction from app.events where organisation_id = $1 order by position desc limit 2",
    [ada.organisation.id],
  );
  expect(events.map(({ kind, data }) => ({ kind, data }))).toEqual(
    expect.arrayContaining([
      { kind: "memory.created", data: { memoryId: made.id, botId: null, supersedes: former.id } },
      { kind: "memory.updated", data: { memoryId: former.id, botId: null } },
    ]),
  );
  expect(new Set(events.map(({ transaction }) => transaction)).size).toBe(1);
});

test("an erasure of one end leaves the other, without the subject and without a link", async () => {
  const ada = await here.owner();
  const [former, kept] = [
    await create(ada, { subject: "Jane Roe", subjectKind: "third_party" }),
    await create(ada, { subject: "Desk" }),
  ];
  const made = expectAnswer("create_memory", await replace(ada, former.id, { subject: "Desk 4" }));
  const about = expectAnswer(
    "create_memory",
    await replace(ada, kept.id, { subject: "Jane Roe", subjectKind: "third_party" }),
  );
  const erased = { subjectKind: "third_party", subject: "jane roe" };
  const receipt = expectAnswer("erase_memories", await ada.post("/memories/erase", erased));
  expect(receipt).toMatchObject({ memories: 2, complete: true });
  expect(await read(ada, made.id)).toMatchObject({ supersedes: null });
  expect(await read(ada, kept.id)).toMatchObject({ supersededBy: null, validTo: expect.any(String) });
  const [left] = await here.db.sql<{ count: string }>(
    `select count(*) from app.memory_history
     where organisation_id = $1 and (former::text ~* 'jane' or memory_id = any ($2))`,
    [ada.organisation.id, [former.id, about.id]],
  );
  expect(left?.count).toBe("0");
});

test("a tainted memory replaces none without the person who approved it", async () => {
  const ada = await here.owner();
  const former = await create(ada);
  const write = (createdBy: string | null) =>
    here.db.sql(
      `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, created_by, supersedes)
       values ($1, 'organisation', 'policy', 'Hours', 'Never', 'run-tainted', 'run', $2, $3)`,
      [ada.organisation.id, createdBy, former.id],
    );
  await expect(write(null)).rejects.toMatchObject({ constraint: "memories_supersedes_check" });
  expect(await read(ada, former.id)).toEqual(former);
  await write(ada.organisation.ownerId);
  expect((await read(ada, former.id)).supersededBy).not.toBeNull();
});
