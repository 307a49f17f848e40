/** The history of memories, and lists as of an instant. (docs/specification/memories.md#history) */
import { MemoryChange } from "../../src/contract/memory-fields.ts";
import { expectAnswer, expectRefusal, nulls } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };

const historyOf = async (who: Member, id: string) =>
  expectAnswer("list_memory_history", await who.get(`/memories/${id}/history`)).data;

/** An instant between all earlier and all later statements, by the database's clock. */
async function instant(): Promise<string> {
  const [{ at } = { at: "" }] = await here.db.sql<{ at: string }>(
    // Sleeps until the instant has passed.
    "select to_json(clock_timestamp()::timestamptz(3) + interval '2 ms') #>> '{}' as at, pg_sleep(0.005)",
  );
  return new Date(at).toISOString();
}

const asOf = async (who: Member, at: string, more = "") =>
  expectAnswer("list_memories", await who.get(`/memories?asOf=${at}${more}`)).data;

test("list_memory_history returns the former state of each change, with who changed it and when", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "write", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: memory } = await ada.post("/memories", newMemory);
  expect(await historyOf(ada, memory.id)).toEqual([]);
  const before = await instant();
  const second = { confidence: 0.5, validTo: "2030-01-01T00:00:00.000Z" };
  await ada.patch(`/memories/${memory.id}`, second);
  await bob.patch(`/memories/${memory.id}`, { value: "Ten to six", lawfulBasis: "contract" });
  const rows = await historyOf(ada, memory.id);
  const set = { value: "Nine to five", confidence: 1, provenance: "member", lawfulBasis: "legitimate_interests" };
  const first = { ...nulls(MemoryChange), ...set };
  const [newest, oldest] = rows;
  expect(rows).toEqual([
    { ...first, ...second, id: newest.id, changedAt: newest.changedAt, changedBy: expect.any(String) },
    { ...first, id: oldest.id, changedAt: oldest.changedAt, changedBy: ada.organisation.ownerId },
  ]);
  const [key] = await here.db.sql<Json>("select created_by from app.api_keys where id = $1", [bob.key.id]);
  expect(newest.changedBy).toBe(key?.created_by);
  expect(oldest.changedAt > before && newest.changedAt >= oldest.changedAt).toBe(true);
  expect(await historyOf(bob, memory.id)).toEqual(rows);
});

test("An update without a difference and a refused update add no history", async () => {
  const ada = await here.owner();
  const { body: memory } = await ada.post("/memories", newMemory);
  await ada.patch(`/memories/${memory.id}`, { value: newMemory.value, confidence: 1 });
  await here.db.sql("insert into app.third_party_restrictions values ($1, 'policy')", [ada.organisation.id]);
  await here.db.sql("update app.memories set search_vector = search_vector where id = $1", [memory.id]);
  const { body: outsider } = await ada.post("/memories", { ...newMemory, kind: "note", subjectKind: "third_party" });
  await here.db.sql("insert into app.third_party_restrictions values ($1, 'note')", [ada.organisation.id]);
  expectRefusal(await ada.patch(`/memories/${outsider.id}`, { value: "Other" }), "forbidden");
  expect(await historyOf(ada, memory.id)).toEqual([]);
  expect(await historyOf(ada, outsider.id)).toEqual([]);
});

test("list_memory_history returns 404 for a deleted, unreadable or absent memory", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  const { body: mine } = await ada.post("/memories", { ...newMemory, scope: "bot", botId: bot.id });
  const { body: ours } = await ada.post("/memories", newMemory);
  for (const { id } of [mine, ours]) await ada.patch(`/memories/${id}`, { value: "Changed" });
  expect(await historyOf(ada, mine.id)).toHaveLength(1);
  expect(await historyOf(bob, ours.id)).toHaveLength(1);
  expectRefusal(await bob.get(`/memories/${mine.id}/history`), "not_found");
  expectRefusal(await eve.get(`/memories/${ours.id}/history`), "not_found");
  expectRefusal(await ada.get("/memories/01890000-0000-7000-8000-000000000000/history"), "not_found");
  await ada.delete(`/memories/${ours.id}`);
  expectRefusal(await ada.get(`/memories/${ours.id}/history`), "not_found");
});

test("list_memories with asOf returns each memory in its state of that instant", async () => {
  const ada = await here.owner();
  const times = [await instant()];
  const { body: first } = await ada.post("/memories", newMemory);
  times.push(await instant());
  const { body: second } = await ada.post("/memories", { ...newMemory, subject: "Days" });
  times.push(await instant());
  const { body: changed } = await ada.patch(`/memories/${first.id}`, { value: "Ten to six" });
  const { body: again } = await ada.patch(`/memories/${first.id}`, { value: "Eleven to seven", confidence: 0.5 });
  times.push(await instant());
  await ada.delete(`/memories/${second.id}`);
  times.push(await instant());
  expect(changed.value).toBe("Ten to six");
  const known = [[], [first], [second, first], [second, again], [again]];
  for (const [index, at] of times.entries()) expect([index, await asOf(ada, at)]).toEqual([index, known[index]]);
  expect(await asOf(ada, "2999-01-01T00:00:00Z")).toEqual([again]);
  expect(await asOf(ada, "0001-01-01T00:00:00Z")).toEqual([]);
  expect((await ada.get("/memories")).body.data).toEqual([again]);
});

test("list_memories with asOf filters by the values of that instant, and pages", async () => {
  const ada = await here.owner();
  const made = [];
  for (const number of [1, 2, 3, 4, 5]) {
    const body = { ...newMemory, subject: `Hours ${number}`, kind: number % 2 ? "odd" : "even" };
    made.unshift(
      (await ada.post("/memories", { ...body, validTo: number === 3 ? "2999-01-01T00:00:00Z" : null })).body,
    );
  }
  const then = await instant();
  for (const { id } of made.slice(0, 3)) await ada.patch(`/memories/${id}`, { validTo: "2001-01-01T00:00:00Z" });
  await ada.delete(`/memories/${made[4].id}`);
  expect(await asOf(ada, then)).toEqual(made);
  expect(await asOf(ada, then, "&current=true")).toEqual(made);
  expect(await asOf(ada, "3000-01-01T00:00:00Z", "&current=true")).toEqual([made[3]]);
  expect(await asOf(ada, then, "&kind=odd")).toEqual(made.filter(({ kind }) => kind === "odd"));
  expect(await asOf(ada, then, "&subject=HOURS--1")).toEqual([made[4]]);
  const walked: Json[] = [];
  for (let cursor = ""; ; ) {
    const page = expectAnswer("list_memories", await ada.get(`/memories?limit=2&asOf=${then}${cursor}`));
    walked.push(...page.data);
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(walked).toEqual(made);
});

test("list_memories with asOf returns deleted memories to people who could read them, except memories of a deleted bot", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  const { body: mine } = await ada.post("/memories", { ...newMemory, scope: "bot", botId: bot.id });
  const { body: ours } = await ada.post("/memories", newMemory);
  const then = await instant();
  for (const { id } of [mine, ours]) await ada.delete(`/memories/${id}`);
  expect(await asOf(ada, then)).toEqual([ours, mine]);
  expect(await asOf(bob, then)).toEqual([ours]);
  expect(await asOf(eve, then)).toEqual([]);
  await ada.delete(`/bots/${bot.id}`);
  expect(await asOf(ada, then)).toEqual([ours]);
  expect(await here.db.sql("select from app.memory_history where bot_id = $1", [bot.id])).toEqual([]);
});
