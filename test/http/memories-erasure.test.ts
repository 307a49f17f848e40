/**
 * Erasure of everything stored about a person, in any spelling, with all copies. (docs/specification/memories.md#erasure)
 */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { insertMemories } from "../support/many-memories.ts";
import { tablesWithText } from "../support/tables-with-text.ts";

const here = apiOfFile();
const about = (subject: string, more: object = {}) => ({
  scope: "organisation",
  kind: "note",
  subject,
  subjectKind: "third_party",
  value: "Kanarienvogel",
  ...more,
});
const tablesHere = (text: string) => tablesWithText(here.db, text);
const erase = async (who: Member, subject: string, subjectKind = "third_party") =>
  expectAnswer("erase_memories", await who.post("/memories/erase", { subjectKind, subject }));

test("erase_memories erases memories and history of a subject in every spelling", async () => {
  const ada = await here.owner();
  const spelled = ["Nils Müller-Holm", "nils müller holm", " NILS  MÜLLER_HOLM ", "Nils Mu\u0308ller-Holm"];
  for (const subject of spelled) await ada.post("/memories", about(subject));
  const { body: changed } = await ada.post("/memories", about("Nils Müller-Holm"));
  for (const value of ["Kanarienvogel 2", "Kanarienvogel 3"]) await ada.patch(`/memories/${changed.id}`, { value });
  const { body: gone } = await ada.post("/memories", about("Nils Müller-Holm"));
  await ada.delete(`/memories/${gone.id}`);
  const kept = [
    (await ada.post("/memories", about("Nils Muller-Holm"))).body,
    (await ada.post("/memories", about("Nils Müller-Holm", { subjectKind: "member" }))).body,
  ];
  const receipt = await erase(ada, "nils-müller-holm");
  expect(receipt).toEqual({
    id: receipt.id,
    erasedAt: receipt.erasedAt,
    memories: 5,
    history: 3,
    proposals: 0,
    answers: 0,
    complete: true,
    notSearched: ["messages", "steps", "approvals", "bots", "routines", "backups"],
  });
  expect((await ada.get("/memories")).body.data).toEqual(kept.toReversed());
  expectRefusal(await ada.get(`/memories/${changed.id}`), "not_found");
  expect((await ada.get(`/memories?asOf=${new Date().toISOString()}`)).body.data).toEqual(kept.toReversed());
  expect(await erase(ada, "Nils Müller-Holm")).toMatchObject({ memories: 0, history: 0 });
});

test("erase_memories also erases memories that its caller cannot read, only in its own organisation", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: bot } = await bob.post("/bots", { name: "Bob's", visibility: "personal" });
  await bob.post("/memories", about("Nora", { scope: "bot", botId: bot.id }));
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, subject_kind, value, provenance, source)
     select $1, 'member', person_id, 'note', 'Nora', 'third_party', 'Kanarienvogel', 'member', 'test'
     from app.memberships where organisation_id = $1`,
    [ada.organisation.id],
  );
  const { body: theirs } = await eve.post("/memories", about("Nora"));
  await eve.patch(`/memories/${theirs.id}`, { value: "Changed" });
  expect((await ada.get("/memories")).body.data).toHaveLength(1);
  expect(await erase(ada, "Nora")).toMatchObject({ memories: 3, history: 0 });
  expect((await eve.get(`/memories/${theirs.id}/history`)).body.data).toHaveLength(1);
});

test("After erase_memories no table contains the text or the name, and replays return 404 without a second effect", async () => {
  const ada = await here.owner();
  const canary = "Zyklamen";
  const create = (idempotencyKey: string, subject: string) =>
    here.api.call("POST", "/memories", { key: ada.key.text, idempotencyKey, body: about(subject, { value: canary }) });
  const body = {
    operations: [
      { method: "POST", path: "/memories", body: about("Xaver", { value: canary }) },
      { method: "POST", path: "/memories", body: about("Someone Else", { value: "Aster" }) },
      { method: "GET", path: "/memories?limit=200" },
    ],
  };
  const batch = () => here.api.call("POST", "/batch", { key: ada.key.text, idempotencyKey: "batch", body });
  const { body: made } = await create("once", "Xaver");
  const answered = await batch();
  await ada.patch(`/memories/${made.id}`, { value: `${canary} 2` });
  const look = { operations: [{ method: "GET", path: `/memories/${made.id}/history` }] };
  expect((await ada.post("/batch", look)).text).toContain(canary);
  expect((await tablesHere(canary)).toSorted()).toEqual([
    "app.idempotency_records",
    "app.memories",
    "app.memory_history",
  ]);

  expect(await erase(ada, "xaver")).toMatchObject({ memories: 2, history: 1 });
  expect(await tablesHere(canary)).toEqual([]);
  expect(await tablesHere("Xaver")).toEqual([]);
  const again = await create("once", "Xaver");
  expectRefusal(again, "not_found");
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const replayed = await batch();
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.results.map((result: Json) => result.status)).toEqual([404, 201, 404]);
  expect(replayed.body.results[1]).toEqual(answered.body.results[1]);
  expect((await ada.get("/memories")).body.data).toHaveLength(1);
});

test("erase_memories deletes approvals that propose the memory, with pending mails, and keeps others", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi", untrusted: true });
  for (const [subject, state] of [
    ["Tilda-Holm", "pending"],
    ["tilda holm", "approved"],
    ["Someone Else", "pending"],
  ]) {
    await here.db.sql(
      `insert into app.approvals (organisation_id, run_id, bot_id, conversation_id, person_id, kind, proposal, state, expires_at, answered_at)
       select organisation_id, id, bot_id, conversation_id, person_id, 'memory', $2, $3::app.approval_state,
         now() + interval '1 day', case $3 when 'approved' then now() end
       from app.runs where id = $1`,
      [run.id, JSON.stringify(about(subject ?? "")), state],
    );
  }
  const mails = () =>
    here.db.sql("select from app.mails where kind = 'approval' and organisation_id = $1", [ada.organisation.id]);
  expect(await mails()).toHaveLength(3);
  expect(await erase(ada, "Tilda Holm")).toMatchObject({ memories: 0, history: 0, proposals: 2 });
  expect(await tablesHere("tilda")).toEqual([]);
  expect(await here.db.sql("select from app.approvals where run_id = $1", [run.id])).toHaveLength(1);
  expect(await mails()).toHaveLength(2); // the mail of an answered approval is not withdrawn
});

test("erase_memories blanks stored responses that show a deleted approval", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi", untrusted: true });
  await here.db.sql(
    `insert into app.approvals (organisation_id, run_id, bot_id, conversation_id, person_id, kind, proposal, expires_at)
     select organisation_id, id, bot_id, conversation_id, person_id, 'memory',
       runner.proposed_memory($2) || '{"value": "Seidelbast"}', now() + interval '1 day'
     from app.runs where id = $1`,
    [run.id, JSON.stringify(about("Veronika"))],
  );
  const operations = [
    { method: "GET", path: "/approvals" },
    { method: "GET", path: `/runs/${run.id}` },
    { method: "POST", path: "/bots", body: {} }, // a write, so that the response is stored
  ];
  const look = () =>
    here.api.call("POST", "/batch", { key: ada.key.text, idempotencyKey: "look", body: { operations } });
  const first = await look();
  expect(first.text).toContain("Seidelbast");
  expect(await erase(ada, "veronika")).toMatchObject({ proposals: 1 });
  const again = await look();
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body.results.map(({ status }: Json) => status)).toEqual([404, 200, 400]);
  expect(again.body.results[1]).toEqual(first.body.results[1]);
  expect(await tablesHere("Seidelbast")).toEqual([]);
});

test("The erasure's receipt is stored without the subject, and operators can read it", async () => {
  const ada = await here.owner();
  await ada.post("/memories", about("Quirin"));
  const { id, erasedAt } = await erase(ada, "Quirin");
  const operator = here.db.poolAs("operator", 1);
  const { rows } = await operator.query("select * from operator.erasures where id = $1", [id]);
  expect(rows).toEqual([
    {
      organisation_id: ada.organisation.id,
      id,
      subject_kind: "third_party",
      memories: 1,
      history: 0,
      proposals: 0,
      answers: 0,
      complete: true,
      erased_by: ada.organisation.ownerId,
      key_id: ada.key.id,
      operator: null,
      erased_at: new Date(erasedAt),
    },
  ]);
});

test.each([
  { memories: 1000, changed: 0, receipts: [[1000, 0, true]] },
  {
    memories: 1001,
    changed: 0,
    receipts: [
      [1000, 0, false],
      [1, 0, true],
    ],
  },
  {
    memories: 10,
    changed: 1001,
    receipts: [
      [10, 1000, false],
      [0, 1, true],
    ],
  },
  {
    memories: 2_400,
    changed: 1200,
    receipts: [
      [1000, 1000, false],
      [1000, 200, false],
      [400, 0, true],
    ],
  },
])(
  "erase_memories of $memories memories and $changed changes erases at most 1,000 each per call and reports completeness",
  async ({ memories, changed, receipts }) => {
    const ada = await here.owner();
    await insertMemories(here.db, {
      organisation: ada.organisation.id,
      subject: "Legion",
      count: memories,
      changes: changed,
    });
    const { body: other } = await ada.post("/memories", about("Nora"));
    const returned: [number, number, boolean][] = [];
    for (let complete = false; !complete && returned.length < 9; ) {
      const receipt = await erase(ada, "legion");
      returned.push([receipt.memories, receipt.history, receipt.complete]);
      complete = receipt.complete;
    }
    expect(returned).toEqual(receipts);
    expect((await ada.get("/memories")).body.data).toEqual([other]);
    expect(
      await here.db.sql("select from app.memory_history where organisation_id = $1", [ada.organisation.id]),
    ).toEqual([]);
    const kept = await here.db.sql("select complete from app.erasures where organisation_id = $1 order by id", [
      ada.organisation.id,
    ]);
    expect(kept.map(({ complete }) => complete)).toEqual(receipts.map(([, , complete]) => complete));
  },
);

test("A replay of erase_memories returns the first receipt", async () => {
  const ada = await here.owner();
  await ada.post("/memories", about("Nora"));
  const once = { key: ada.key.text, idempotencyKey: "erase", body: { subjectKind: "third_party", subject: "Nora" } };
  const first = await here.api.call("POST", "/memories/erase", once);
  await ada.post("/memories", about("Nora"));
  expect((await here.api.call("POST", "/memories/erase", once)).body).toEqual(first.body);
  expect((await ada.get("/memories")).body.data).toHaveLength(1);
});

test("erase_memories needs an admin key and a subject", async () => {
  const ada = await here.owner();
  await ada.post("/memories", about("Nora"));
  for (const scope of ["read", "write"] as const) {
    const small = await here.another(ada, scope);
    expectRefusal(
      await small.post("/memories/erase", { subjectKind: "third_party", subject: "Nora" }),
      "unauthenticated",
    );
    const batch = { operations: [{ method: "POST", path: "/memories/erase", body: { subjectKind: "third_party", subject: "Nora" } }] }; // biome-ignore format: one request
    if (scope === "write") expect((await small.post("/batch", batch)).body.results[0].status).toBe(401);
  }
  for (const [body, path] of [
    [{ subject: "Nora" }, "body.subjectKind"],
    [{ subjectKind: "third_party" }, "body.subject"],
    [{ subjectKind: "person", subject: "Nora" }, "body.subjectKind"],
    [{ subjectKind: "third_party", subject: "" }, "body.subject"],
    [{ subjectKind: "third_party", subject: "n".repeat(201) }, "body.subject"],
  ] as const) {
    expectRefusal(await ada.post("/memories/erase", body), "invalid_request", [path]);
  }
  expect((await ada.get("/memories")).body.data).toHaveLength(1);
});

test("A subject of hyphens matches only itself", async () => {
  const ada = await here.owner();
  await ada.post("/memories", about("Nora"));
  await ada.post("/memories", about("- -"));
  expect(await erase(ada, "---")).toMatchObject({ memories: 1 });
  expect((await ada.get("/memories")).body.data).toHaveLength(1);
});
