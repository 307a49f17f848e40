/** Imports of memories. (docs/specification/memories.md#import) */
import { Memory } from "../../src/contract/memory-fields.ts";
import { expectAnswer, expectRefusal, expectReplay, nulls } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";

import { absent } from "../support/requests.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let owners: ReturnType<typeof here.db.poolAs>;
beforeAll(() => {
  owners = here.db.poolAs("owner", 1);
});
const line = { externalId: "crm-1", scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
const lines = (count: number, more: Json = {}) =>
  Array.from({ length: count }, (_each, index) => ({
    ...line,
    externalId: `crm-${index}`,
    value: `${index}`,
    ...more,
  }));
const stored = (organisation: string) =>
  here.db.sql("select * from app.memories where organisation_id = $1 order by id", [organisation]);
const outcomes = ({ results }: Json) =>
  results.map(({ outcome, error }: Json) => error?.reason ?? error?.code ?? outcome);

test("import_memories stores each line in order, and the same part again changes nothing", async () => {
  const ada = await here.owner("write");
  const { id: organisation, ownerId } = ada.organisation;
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const given = [
    ...lines(3).reverse(),
    {
      ...{
        ...line,
        externalId: "é".repeat(200),
        scope: "bot",
        botId: bot.id.toUpperCase(),
        subjectKind: "third_party",
      },
      ...{ confidence: 0.25, validFrom: "2026-01-01T00:00:00+01:00", validTo: "2031-05-06T07:08:09.123Z" },
      lawfulBasis: "consent",
    },
  ];
  const imported = expectAnswer("import_memories", await ada.post("/memories/import", { memories: given }));
  expect(imported).toMatchObject({ created: 4, unchanged: 0, refused: 0 });
  const ids = imported.results.map(({ id }: Json) => id);
  expect(ids).toEqual([...ids].sort());
  expect(imported.results.map(({ line: number }: Json) => number)).toEqual([1, 2, 3, 4]);
  const last = expectAnswer("get_memory", await ada.get(`/memories/${ids[3]}`));
  expect(last).toEqual({
    ...nulls(Memory),
    ...given[3],
    ...{ id: ids[3], botId: bot.id, createdAt: last.createdAt, validFrom: "2025-12-31T23:00:00.000Z" },
    ...{ provenance: "import", conflictsWith: undefined },
  });
  const before = await stored(organisation);
  expect(before.map(({ source, created_by }) => [source, created_by])).toEqual(before.map(() => ["api", ownerId]));
  const again = expectAnswer("import_memories", await ada.post("/memories/import", { memories: given }));
  expect(again).toMatchObject({ created: 0, unchanged: 4, refused: 0 });
  expect(again.results.map(({ id }: Json) => id)).toEqual(ids);
  expect(await stored(organisation)).toEqual(before);
  const entries = await here.db.sql(
    "select from app.audit_log where organisation_id = $1 and resource = 'memory' and action = 'created' and person_id = $2",
    [organisation, ownerId],
  );
  expect(entries).toHaveLength(4);
});

test("import_memories refuses single lines and stores the others", async () => {
  const [ada, grace] = [await here.owner(), await here.owner()];
  const { body: hidden } = await grace.post("/bots", { name: "Grace" });
  await ada.post("/memories/import", { memories: [line] });
  const about = { ...line, subjectKind: "third_party" };
  const { body } = await ada.post("/memories/import", {
    memories: [
      line,
      { ...line, externalId: "crm-2" },
      { ...line, externalId: "crm-3", scope: "bot", botId: hidden.id },
      { ...about, externalId: "crm-4", kind: "He-alth" },
      { ...about, externalId: "crm-5", kind: "note" },
    ],
  });
  expect(outcomes(body)).toEqual(["unchanged", "created", "not_found", "kind_restricted", "created"]);
  expect(body).toMatchObject({ created: 2, unchanged: 1, refused: 2 });
  const other = await ada.post("/memories/import", { memories: [{ ...line, value: "Ten to six" }] });
  expect(outcomes(other.body)).toEqual(["external_id_taken"]);
  expect(other.body.results[0].id).toBe(body.results[0].id);
  expect((await ada.get(`/memories/${body.results[0].id}`)).body.value).toBe("Nine to five");
});

test("import_memories does not show that another person's bot has a memory of the external id", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  const own = await ada.post("/memories/import", { memories: [{ ...line, scope: "bot", botId: bot.id }] });
  expect(own.body.created).toBe(1);
  const [person] = await here.db.sql(
    `with person as (insert into app.people (email, display_name) values ($2, 'Bo') returning id)
     insert into app.memberships (organisation_id, person_id, role) select $1, id, 'admin' from person returning person_id as id`,
    [ada.organisation.id, `bo.${ada.organisation.id}@example.test`],
  );
  const bo = await here.another(ada, "write", person?.id);
  const { body } = await bo.post("/memories/import", { memories: [{ ...line, scope: "bot", botId: bot.id }, line] });
  expect(outcomes(body)).toEqual(["not_found", "created"]);
});

test("import_memories keeps the mark of tainted memories and raises no other", async () => {
  const ada = await here.owner();
  const given = ["member", "run", "import", "run-tainted"];
  const memories = given.map((provenance) => ({ ...line, externalId: provenance, provenance }));
  await ada.post("/memories/import", { memories });
  const rows = await stored(ada.organisation.id);
  expect(rows.map(({ provenance }) => provenance)).toEqual(["import", "import", "import", "run-tainted"]);
});

test("import_memories takes JSON lines, and one idempotency key holds for both forms", async () => {
  const ada = await here.owner();
  const memories = lines(3);
  const headers = { "content-type": "application/x-ndjson" };
  const text = memories.map((each) => JSON.stringify(each)).join("\r\n");
  const first = await ada.post("/memories/import", undefined, { headers, raw: `${text}\n`, idempotencyKey: "part-1" });
  expect(expectAnswer("import_memories", first).created).toBe(3);
  expectReplay(await ada.post("/memories/import", { memories }, { idempotencyKey: "part-1" }), first);
});

test("import_memories names the lines of invalid fields, and stores nothing of the part", async () => {
  const ada = await here.owner();
  const memories = [
    line,
    { ...line, externalId: "crm-2", scope: "member" },
    { ...line, externalId: "crm-3", value: "" },
    { ...line, externalId: "crm-4", scope: "bot" },
    { ...line, externalId: "crm-5", validFrom: "2026-01-02T00:00:00Z", validTo: "2026-01-01T00:00:00Z" },
    { ...line, externalId: "crm-6", userId: absent },
    { ...line, externalId: undefined },
  ];
  expectRefusal(await ada.post("/memories/import", { memories }), "invalid_request", [
    "body.memories.1.scope",
    "body.memories.2.value",
    "body.memories.3.botId",
    "body.memories.4.validTo",
    "body.memories.6.externalId",
    "body.memories.5.userId",
  ]);
  const twice = [line, { ...line, externalId: "crm-2" }, line];
  expectRefusal(await ada.post("/memories/import", { memories: twice }), "invalid_request", [
    "body.memories.2.externalId",
  ]);
  expectRefusal(await ada.post("/memories/import", { memories: lines(501) }), "invalid_request", ["body.memories"]);
  const headers = { "content-type": "application/x-ndjson" };
  const broken = `${JSON.stringify(line)}\n\n{"externalId":\n[]`;
  expectRefusal(await ada.post("/memories/import", undefined, { headers, raw: broken }), "invalid_request", [
    "body.memories.1",
    "body.memories.2",
  ]);
  expectRefusal(await ada.post("/memories", undefined, { headers, raw: JSON.stringify(line) }), "invalid_request", [
    "headers.content-type",
  ]);
  expect(await stored(ada.organisation.id)).toEqual([]);
});

test("import_memories counts lines as values, and names at most 100 broken lines", async () => {
  const ada = await here.owner();
  const headers = { "content-type": "application/x-ndjson" };
  const empty = await ada.post("/memories/import", undefined, { headers, raw: "\n".repeat(1_000_000) });
  expectRefusal(empty, "invalid_request", ["body"]);
  expect(empty.body.error.details[0].message).toContain("values");
  const broken = await ada.post("/memories/import", undefined, { headers, raw: "x\n".repeat(400) });
  expectRefusal(broken, "invalid_request");
  expect(broken.body.error.details).toHaveLength(100);
});

test("an import whose connection is lost stores nothing, and the same part again stores everything", async () => {
  const ada = await here.owner();
  const organisation = ada.organisation.id;
  const holder = await owners.connect();
  try {
    await holder.query("begin");
    await holder.query(
      `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, external_id)
       values ($1, 'organisation', 'note', 'Hours', 'Never', 'import', 'api', 'crm-150')`,
      [organisation],
    );
    const part = () => ada.post("/memories/import", { memories: lines(200) }, { idempotencyKey: "part-1" });
    const broken = part();
    const cut = async () =>
      (
        await here.db.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where query like '%api.handle%' and $1 = any (pg_blocking_pids(pid))`,
          [(await holder.query("select pg_backend_pid() as pid")).rows[0].pid],
        )
      ).length === 1;
    await eventually(cut); // the lines before it are inserted
    await holder.query("rollback");
    const { status, body } = await broken;
    expect([200, 503]).toContain(status);
    expect(await stored(organisation)).toHaveLength(status === 200 ? 200 : 0);
    const again = expectAnswer("import_memories", await part());
    expect(again).toMatchObject(status === 200 ? body : { created: 200 });
    expect(await stored(organisation)).toHaveLength(200);
  } finally {
    holder.release();
  }
});

test("an import announces each memory to a subscribed endpoint", async () => {
  const ada = await here.owner();
  await ada.post("/webhooks", { url: "https://receiver.example/hook", events: ["memory.created"] });
  const { body } = await ada.post("/memories/import", { memories: lines(3) });
  const events = await here.db.sql(
    "select data ->> 'memoryId' as id from app.events where organisation_id = $1 and kind = 'memory.created' order by 1",
    [ada.organisation.id],
  );
  expect(events.map(({ id }) => id)).toEqual(body.results.map(({ id }: Json) => id));
});
