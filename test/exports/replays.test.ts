/** Parts of an export under a repeated Idempotency-Key, and in a batch. (docs/specification/exports.md#parts) */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/index.ts";
import { fileOfPart } from "../../src/contract/export-files.ts";
import { downloadExport } from "../../src/tenant/export.ts";
import { verifyExport } from "../../src/transparency/verification/exports.ts";
import { expectAnswer, expectRefusal, expectReplay } from "../support/answers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { logSigner, testCheckpoints } from "../support/checkpoints.ts";
import { storeBytes } from "../support/stored.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";
import { partOf, readPart } from "./exported.ts";

const here = ownApiOfFile();
const { atOnce } = twoProcesses(here);
const once = { idempotencyKey: "once" };

// The uses and counts of keys are rows of the export too, and each process writes them at moments of its own.
beforeAll(() =>
  here.db.sql(
    `create function public.keep_row() returns trigger language plpgsql as 'begin return null; end';
     create trigger _000_keep_row before insert or update on app.api_key_days for each row execute function public.keep_row();
     create trigger _000_keep_row before update on app.api_key_uses for each row execute function public.keep_row()`,
  ),
);

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
  await storeBytes(here.db, ada.organisation.id, 1024 * 1024 * 1024 - 200);
  expect((await readPart(ada, id, 1)).content.length).toBeGreaterThan(200);
  expectRefusal(await ada.post(`/exports/${id}/finish`), "rate_limited"); // its response is stored whole
});

test("botstead export makes a part again whose answer was lost and whose rows have changed since", async () => {
  const { ada, id, change } = await begun();
  const folder = mkdtempSync(join(tmpdir(), "botstead-export-lost-"));
  writeFileSync(join(folder, "export.json"), JSON.stringify({ id, organisationId: ada.organisation.id }));
  const keys: (string | null)[] = [];
  const losing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).endsWith("/parts")) return answer;
    keys.push(new Headers(init?.headers).get("idempotency-key"));
    if (keys.length > 1) return answer;
    await answer.text();
    await change();
    throw new TypeError("fetch failed");
  };
  const client = createClient({ baseUrl: here.api.url, key: ada.key.text, fetch: losing });
  const checkpoints = testCheckpoints(here.db);
  try {
    const download = downloadExport(client, folder, () => {});
    await eventually(async () => {
      await checkpoints.run();
      return existsSync(join(folder, "proof.json"));
    });
    expect(await download).toMatchObject({ id, parts: 1 });
    const [lost, replayed, again] = keys;
    expect([keys.length, replayed === lost, again === lost]).toEqual([3, true, false]);
    expect(readFileSync(join(folder, fileOfPart(1)), "utf8")).toContain("Short.");
    expect(verifyExport(folder, [logSigner]).faults).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
