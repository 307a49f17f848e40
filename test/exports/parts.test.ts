/** Parts of an export: bounds, resuming, and rows that change meanwhile. (docs/specification/exports.md#parts) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { testApi } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { tamper } from "../support/checkpoints.ts";
import { exportAll, linesOf, partOf, readPart } from "./exported.ts";

const here = ownApiOfFile();

/** Without triggers, so without entries in the audit log. */
async function fill(owner: Member, count: number, value = "'Number ' || number"): Promise<string[]> {
  const { id } = owner.organisation;
  await tamper(
    here.db,
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
     select '${id}', 'organisation', 'fact', 'We', ${value}, 'member', 'test', '' from generate_series(1, ${count}) number`,
  );
  return idsOf(owner);
}

async function idsOf(owner: Member): Promise<string[]> {
  const text = "select id from app.memories where organisation_id = $1 order by id";
  return (await here.db.sql<{ id: string }>(text, [owner.organisation.id])).map(({ id }) => id);
}

const memoriesOf = (lines: { table: string; row: { id: string } }[]): string[] =>
  lines.filter(({ table }) => table === "memories").map(({ row }) => row.id);

test("a part has at most 1,000 lines and 1 MB, and an export of many parts has each row once", async () => {
  const ada = await here.owner();
  await fill(ada, 2_500);
  const ids = await fill(ada, 300, `repeat(U&'\\+01F6A2', 4000)`); // 16 KB each
  const { parts, lines, manifest } = await exportAll(ada);
  expect(memoriesOf(lines)).toEqual(ids);
  for (const { lines: count, content } of parts) {
    expect(count).toBeLessThanOrEqual(1_000);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(1_048_576);
    expect(linesOf(content)).toHaveLength(count);
  }
  expect(parts.length).toBeGreaterThan(6);
  expect(manifest.tables.memories).toEqual({ rows: 2_800, withheld: 0 });
});

test("withheld rows are skipped 10,000 at a time, and a part may be empty", async () => {
  const ada = await here.owner();
  await tamper(
    here.db,
    `with person as (insert into app.people (email) values (gen_random_uuid() || '@example.test') returning id)
     insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, search_vector)
     select '${ada.organisation.id}', 'member', person.id, 'fact', 'We', 'Private', 'member', 'test', '' from person, generate_series(1, 21000)`,
  );
  const { parts, lines, manifest } = await exportAll(ada);
  expect(memoriesOf(lines)).toEqual([]);
  expect(manifest.tables.memories).toEqual({ rows: 0, withheld: 21_000 });
  expect(parts.some(({ lines: count }) => count === 0)).toBe(true);
});

test("while rows are written, changed and deleted, a row that stays is exported once, and none twice", async () => {
  const ada = await here.owner();
  const ids = await fill(ada, 4_000);
  const deleted = ids.filter((_, index) => index % 7 === 0);
  const writing = new AbortController();
  const writer = (async () => {
    for (let at = 0; !writing.signal.aborted; at += 50) {
      await fill(ada, 10);
      await here.db.sql("delete from app.memories where id = any ($1)", [deleted.slice(at, at + 50)]);
      await here.db.sql("update app.memories set value = value || '!' where id = any ($1)", [
        ids.slice(at + 1, at + 20),
      ]);
    }
  })();
  const { lines } = await exportAll(ada);
  writing.abort();
  await writer;
  const found = memoriesOf(lines);
  expect(new Set(found).size).toBe(found.length);
  const gone = new Set(deleted);
  const seen = new Set(found);
  expect(ids.filter((id) => !gone.has(id) && !seen.has(id))).toEqual([]);
});

test("the newest part is read again, and an earlier one has the same bytes or is refused", async () => {
  const ada = await here.owner();
  const ids = await fill(ada, 2_500);
  const { id } = expectAnswer("create_export", await ada.post("/exports"));
  const first = await readPart(ada, id, 1);
  await here.db.sql("update app.memories set value = 'Changed' where id = $1", [ids[0]]);
  const again = await readPart(ada, id, 1);
  expect(again.hash).not.toBe(first.hash);
  expect(again.content).toContain("Changed");
  const second = await readPart(ada, id, 2);
  expectRefusal(await ada.post(`/exports/${id}/finish`), "export_incomplete");
  expect((await readPart(ada, id, 3)).isLast).toBe(true);
  expect(await readPart(ada, id, 2)).toEqual(second);
  await here.db.sql("update app.memories set value = 'Once more' where id = $1", [ids[1_500]]);
  expectRefusal(await partOf(ada, id, 2), "export_part_changed");
  expect((await readPart(ada, id, 3)).isLast).toBe(true); // the refusal changes nothing
  expectRefusal(await partOf(ada, id, 4), "not_found");
});

test("two requests for a part at once record it once, and two exports continue beside each other", async () => {
  const ada = await here.owner();
  await fill(ada, 1_500);
  const { id } = expectAnswer("create_export", await ada.post("/exports"));
  const replies = await Promise.all(Array.from({ length: 8 }, () => partOf(ada, id, 1)));
  const parts = replies.map((reply) => expectAnswer("make_export_part", reply));
  for (const part of parts) expect(part).toEqual(parts[0]);
  const [one, other] = await Promise.all([exportAll(ada), exportAll(ada)]);
  expect(memoriesOf(one.lines)).toEqual(memoriesOf(other.lines));
  expect((await readPart(ada, id, 2)).part).toBe(2);
});

test("another API process continues with an export after a restart", async () => {
  const ada = await here.owner();
  await fill(ada, 1_500);
  const { id } = expectAnswer("create_export", await ada.post("/exports"));
  await readPart(ada, id, 1);
  const restarted = await testApi(here.db);
  const part = await restarted.call("POST", `/exports/${id}/parts`, { key: ada.key.text, body: { part: 2 } });
  await restarted.stop();
  expect(expectAnswer("make_export_part", part).part).toBe(2);
});

test("of concurrent beginnings ten exports open, and finishing one makes room", async () => {
  const ada = await here.owner();
  const replies = await Promise.all(Array.from({ length: 20 }, () => ada.post("/exports")));
  const opened = replies.filter(({ status }) => status === 201);
  expect(opened).toHaveLength(10);
  for (const reply of replies.filter(({ status }) => status !== 201)) expectRefusal(reply, "exports_open");
  const id = opened[0]?.body.id;
  await readPart(ada, id, 1);
  const finished = expectAnswer("finish_export", await ada.post(`/exports/${id}/finish`));
  expect(expectAnswer("finish_export", await ada.post(`/exports/${id}/finish`)).manifest).toBe(finished.manifest);
  expectRefusal(await partOf(ada, id, 1), "export_finished");
  expect((await ada.post("/exports")).status).toBe(201);
});

test("exports without a new part for 10 minutes, and of another list of tables, block no new export", async () => {
  const ada = await here.owner();
  const set = (id: string, change: string) => here.db.sql(`update app.exports set ${change} where id = $1`, [id]);
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(expectAnswer("create_export", await ada.post("/exports")).id);
  const [idle = "", outdated = ""] = ids;
  await set(idle, "expires_at = now() + interval '1 day' - interval '9 minutes'");
  expectRefusal(await ada.post("/exports"), "exports_open");
  await set(idle, "expires_at = now() + interval '1 day' - interval '11 minutes'");
  expect((await ada.post("/exports")).status).toBe(201);
  expectRefusal(await ada.post("/exports"), "exports_open");
  expect((await ada.get(`/exports/${idle}`)).body.state).toBe("open");
  await readPart(ada, idle, 1); // it can continue
  await set(outdated, "tables_hash = repeat('0', 64)");
  expect((await ada.get(`/exports/${outdated}`)).body.state).toBe("expired");
  await set(idle, "expires_at = now() + interval '1 hour'");
  expect((await ada.post("/exports")).status).toBe(201);
  expectRefusal(await ada.post("/exports"), "exports_open");
});

test("an export expires a day after its last new part, or with another list of tables, and is deleted a day later", async () => {
  const ada = await here.owner();
  const { id } = expectAnswer("create_export", await ada.post("/exports"));
  const set = (change: string) => here.db.sql(`update app.exports set ${change} where id = $1`, [id]);
  await set("expires_at = now() + interval '1 minute'");
  await readPart(ada, id, 1);
  expect(Date.parse((await ada.get(`/exports/${id}`)).body.expiresAt) - Date.now()).toBeGreaterThan(86_000_000);
  await set("tables_hash = repeat('0', 64)");
  expectRefusal(await partOf(ada, id, 1), "export_expired");
  await set("tables_hash = api_private.export_tables_hash(), expires_at = now()");
  expectRefusal(await partOf(ada, id, 1), "export_expired");
  expectRefusal(await ada.post(`/exports/${id}/finish`), "export_expired");
  expect((await ada.get(`/exports/${id}`)).body.state).toBe("expired");
  const worker = here.db.poolAs("worker", 1);
  const left = async () => {
    await worker.query("select jobs.delete_old_exports()");
    return (
      await here.db.sql(
        "select from app.exports where id = $1 union all select from app.export_parts where export_id = $1",
        [id],
      )
    ).length;
  };
  expect(await left()).toBe(2);
  await set("expires_at = now() - interval '1 day 1 minute'");
  expect(await left()).toBe(0);
});
