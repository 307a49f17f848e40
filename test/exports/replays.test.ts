/** Parts of an export under a repeated Idempotency-Key, and in a batch. (docs/specification/exports.md#parts) */
import { expectAnswer, expectRefusal, expectReplay } from "../support/answers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { partOf, readPart } from "./exported.ts";

const here = ownApiOfFile();
const { atOnce } = twoProcesses(here);
const once = { idempotencyKey: "once" };

/** An export of a memory. */
async function begun(): Promise<{ ada: Member; id: string; change(): Promise<unknown> }> {
  const ada = await here.owner();
  const memory = { scope: "organisation", kind: "note", subject: "Quay", value: "Long." };
  const { id: memoryId } = expectAnswer("create_memory", await ada.post("/memories", memory));
  const { id } = expectAnswer("create_export", await ada.post("/exports"));
  return { ada, id, change: () => ada.patch(`/memories/${memoryId}`, { value: "Short." }) };
}

const storedOf = (id: string) =>
  here.db.sql(
    `select export.expires_at, part.* from app.exports export
     left join app.export_parts part on part.export_id = export.id where export.id = $1`,
    [id],
  );

test("the replay of a part has the same bytes, changes nothing, and no content of it is stored", async () => {
  const { ada, id } = await begun();
  const first = await partOf(ada, id, 1, once);
  expect(expectAnswer("make_export_part", first).content).toContain("Long.");
  const before = await storedOf(id);
  for (let again = 0; again < 2; again += 1) expectReplay(await partOf(ada, id, 1, once), first);
  expect(await storedOf(id)).toEqual(before);
  const stored = await here.db.sql("select body from app.idempotency_records where key_id = $1", [ada.key.id]);
  expect(JSON.stringify(stored)).toContain("Long."); // in the response that created the memory
  expect(stored.filter(({ body }) => body?.includes('"content"') || body?.includes("table"))).toEqual([]);
  expectRefusal(await partOf(ada, id, 2, once), "idempotency_mismatch");
});

test("a replay after a change of the rows is export_part_changed and records nothing, and a new Idempotency-Key makes the part again", async () => {
  const { ada, id, change } = await begun();
  const first = expectAnswer("make_export_part", await partOf(ada, id, 1, once));
  await change();
  const before = await storedOf(id);
  for (let again = 0; again < 2; again += 1) expectRefusal(await partOf(ada, id, 1, once), "export_part_changed");
  expect(await storedOf(id)).toEqual(before);
  const second = await readPart(ada, id, 1);
  expect([second.part, second.content.includes("Short.")]).toEqual([1, true]);
  expect(second.hash).not.toBe(first.hash);
  expectRefusal(await partOf(ada, id, 1, once), "export_part_changed"); // also of the newest reading
});

test("a replay of a part of a finished or expired export says so, and the refusal of a part is replayed", async () => {
  const { ada, id } = await begun();
  expectRefusal(await partOf(ada, id, 2, { idempotencyKey: "early" }), "not_found");
  expectAnswer("make_export_part", await partOf(ada, id, 1, once));
  const refused = await partOf(ada, id, 2, { idempotencyKey: "early" });
  expectRefusal(refused, "not_found");
  expect(refused.headers.get("idempotent-replayed")).toBe("true");
  const set = (change: string) => here.db.sql(`update app.exports set ${change} where id = $1`, [id]);
  await set("expires_at = now()");
  expectRefusal(await partOf(ada, id, 1, once), "export_expired");
  await set("expires_at = now() + interval '1 day'");
  expectAnswer("make_export_part", await partOf(ada, id, 1, once));
  expectAnswer("finish_export", await ada.post(`/exports/${id}/finish`));
  expectRefusal(await partOf(ada, id, 1, once), "export_finished");
});

test("of concurrent calls under one Idempotency-Key one makes the part, and the others have its bytes", async () => {
  const { ada, id } = await begun();
  const call = { key: ada.key.text, body: { part: 1 }, ...once };
  const replies = await atOnce(8, (api) => api.call("POST", `/exports/${id}/parts`, call));
  const answered = replies.filter(({ status }) => status === 200);
  for (const reply of replies.filter(({ status }) => status !== 200)) expectRefusal(reply, "idempotency_in_progress");
  expect(answered.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
  expect(await storedOf(id)).toHaveLength(1);
});

test("a batch with a part of an export is invalid_request, also for a caller of api.handle", async () => {
  const { ada, id } = await begun();
  const path = `/exports/${id}/parts`;
  const answer = await ada.post("/batch", { operations: [{ method: "POST", path, body: { part: 1 } }] });
  expectRefusal(answer, "invalid_request");
  expect(answer.body.error.details).toEqual([
    { path: "body.operations.0.path", message: "must not be a part of an export" },
  ]);
  const input = { atomic: false, operations: [{ operation: "make_export_part", input: { id, part: 1 } }] };
  const server = here.db.poolAs("server", 1);
  const { rows } = await server.query(
    "select api.handle($1, 'batch', $2, null, uuidv7(), sha256('once'), sha256('all'), null) as answer",
    [ada.key.digest, JSON.stringify(input)],
  );
  expect(rows[0].answer).toContain('"refusal" : "invalid_request"');
  expect(await storedOf(id)).toMatchObject([{ number: null }]);
});

test("a part counts as its digest in the stored responses of an organisation, whose bytes are limited", async () => {
  const { ada, id } = await begun();
  await here.db.sql(
    `insert into app.response_bytes (organisation_id, ring_hour, hour, bytes)
     select $1, extract(epoch from hour)::bigint / 3600 % 25, hour, 1024 * 1024 * 1024 - 200
     from date_trunc('hour', now() - interval '1 hour', 'UTC') hour on conflict (organisation_id, ring_hour) do update set bytes = excluded.bytes`,
    [ada.organisation.id],
  );
  await here.db.sql(
    "delete from app.response_bytes where organisation_id = $1 and hour = date_trunc('hour', now(), 'UTC')",
    [ada.organisation.id],
  );
  expect((await readPart(ada, id, 1)).content.length).toBeGreaterThan(200);
  expectRefusal(await ada.post(`/exports/${id}/finish`), "rate_limited"); // its response is stored whole
});
