/** Who it was, by what, and in which request: for each way in which a row can be written. */
import type { Pool } from "pg";
import { acting } from "../support/acting.ts";
import { linkOf, press } from "../support/approvals.ts";
import { makeKey, makePlatformKey } from "../support/database.ts";
import { claimed, workplace } from "../support/hand-executor.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "../support/post-office.ts";

let office: PostOffice;
let runner: Pool;
let who: Customer;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  runner = office.db.poolAs("runner");
  who = await customer(office);
});

afterAll(async () => {
  expect(await office.db.sql("select * from audit.verify_chain()")).toEqual([]);
  await office.close();
});

type Entry = {
  actor: string;
  key: string | null;
  person: string | null;
  operator: string | null;
  reason: string | null;
  request: string | null;
  what: string;
  changed: string[];
  before: object | null;
  after: object | null;
};

/** What is told of a row, oldest first. */
const toldOf = (id: string, organisation = who.organisation.id) =>
  office.db.sql<Entry>(
    `select actor, key_id as key, person_id as person, operator, reason, request_id as request, resource || ' ' || action as what,
       changed, before, after
     from app.audit_trail where organisation_id = $1 and resource_id = $2 order by sequence`,
    [organisation, id],
  );

const last = async (id: string, organisation?: string) => (await toldOf(id, organisation)).at(-1);
const nobody = { key: null, person: null, operator: null, reason: null, request: null };

test("a key, its person and the request", async () => {
  const { organisation } = who;
  const key = await makeKey(office.db, organisation.id, organisation.ownerId, "write");
  const body = { scope: "organisation", kind: "fact", subject: "We", value: "We are." };
  const made = await office.api.call("POST", "/memories", { key: key.text, body });
  const by = { actor: "key", key: key.id, person: organisation.ownerId, operator: null, reason: null };
  const changed = await office.api.call("PATCH", `/memories/${made.body.id}`, {
    key: key.text,
    body: { confidence: 0.5, value: "We were." },
  });
  const gone = await office.api.call("DELETE", `/memories/${made.body.id}`, { key: key.text });
  const claim = {
    scope: "organisation",
    botId: null,
    memberId: null,
    subjectKind: "organisation",
    validTo: null,
    provenance: "member",
    lawfulBasis: "legitimate_interests",
    createdBy: organisation.ownerId,
    runId: null,
  };
  const request = (reply: { headers: Headers }) => reply.headers.get("x-request-id");
  expect(await toldOf(made.body.id)).toEqual([
    {
      ...by,
      request: request(made),
      what: "memory created",
      changed: [],
      before: null,
      after: { ...claim, confidence: 1 },
    },
    {
      ...by,
      request: request(changed),
      what: "memory updated",
      changed: ["value", "confidence"],
      before: { confidence: 1 },
      after: { confidence: 0.5 },
    },
    {
      ...by,
      request: request(gone),
      what: "memory deleted",
      changed: [],
      before: { ...claim, confidence: 0.5 },
      after: null,
    },
  ]);
});

test("what changes nothing makes no entry, nor does what only the machine looks at", async () => {
  const { body: endpoint } = await who.ask("POST", "/webhooks", {
    url: "https://a.example/",
    events: ["run.finished"],
  });
  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { url: "https://a.example/" });
  await office.db.sql(
    "update app.webhook_endpoints set consecutive_failures = 3, last_delivery_at = now() where id = $1",
    [endpoint.id],
  );
  expect(await toldOf(endpoint.id)).toMatchObject([{ what: "webhook created" }]);
  await office.db.sql("update app.webhook_endpoints set state = 'paused' where id = $1", [endpoint.id]);
  expect(await last(endpoint.id)).toMatchObject({
    what: "webhook updated",
    changed: ["state"],
    before: { state: "active" },
    after: { state: "paused" },
  });
});

test("a platform key", async () => {
  const key = await makePlatformKey(office.db);
  const body = { name: "Founded", kind: "team", owner: { email: "founder@example.test", displayName: "Fay" } };
  const made = await office.api.call("POST", "/platform/organisations", { key: key.text, body });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  const by = { ...nobody, actor: "platform_key", key: key.id, request: made.headers.get("x-request-id") };
  expect(await toldOf(made.body.id, made.body.id)).toMatchObject([{ ...by, what: "organisation created" }]);
  expect(await toldOf(made.body.owner.userId, made.body.id)).toMatchObject([
    { ...by, what: "member created", after: { role: "owner" } },
  ]);
});

test("an invitation's link, and the person who came by it", async () => {
  const { body: invitation } = await who.ask("POST", "/invitations", { email: "new@example.test", role: "admin" });
  expect((await accept(office.api, await tokenOf(office.db, invitation.id), "Nora New")).status).toBe(200);
  const [person] = await office.db.sql<{ id: string }>("select id from app.people where email = 'new@example.test'");
  const by = { ...nobody, actor: "invitation", key: invitation.id, person: person?.id, request: expect.any(String) };
  expect(await last(invitation.id)).toMatchObject({
    ...by,
    what: "invitation updated",
    after: { acceptedBy: person?.id },
  });
  expect(await toldOf(person?.id ?? "")).toMatchObject([{ ...by, what: "member created", after: { role: "admin" } }]);
});

test("an executor, and the person who approves what it proposed", async () => {
  const at = await workplace(office, runner);
  const { organisation } = at.who;
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Remember it.", untrusted: true });
  const run = await claimed(at.executor);
  const claim = { scope: "organisation", kind: "policy", subject: "Harbour", value: "It closes at nine." };
  const { approvalId: card = "" } = await at.executor.propose(run, claim);
  await at.executor.finish(run);
  expect(await toldOf(card, organisation.id)).toMatchObject([
    { ...nobody, actor: "executor", what: "approval created" },
  ]);
  expect(await toldOf(run.runId, organisation.id)).toMatchObject([
    { actor: "key", what: "run created", after: { state: "queued", taint: true } },
    {
      ...nobody,
      actor: "executor",
      what: "run updated",
      changed: ["state"],
      before: { state: "running" },
      after: { state: "completed" },
    },
  ]);

  expect((await press(office.api, await linkOf(office.db, card), "approved")).status).toBe(200);
  const by = { ...nobody, actor: "approval", key: card, person: organisation.ownerId, request: expect.any(String) };
  expect(await last(card, organisation.id)).toMatchObject({
    ...by,
    what: "approval updated",
    after: { state: "approved" },
  });
  const [memory] = await office.db.sql<{ id: string }>("select id from app.memories where run_id = $1", [run.runId]);
  expect(await toldOf(memory?.id ?? "", organisation.id)).toMatchObject([
    { ...by, what: "memory created", after: { runId: run.runId } },
  ]);
});

test("an executor with a login of its own, which says that it is a key", async () => {
  const at = await workplace(office, runner);
  const run = (await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Hello" })).body.id;
  const connection = await runner.connect();
  try {
    const { rows } = await connection.query("select runner.claim($1) as run", [at.executor.id]);
    const { organisationId, runId, leaseId } = rows[0].run;
    await connection.query(
      "select set_config('caller.' || name, uuidv7()::text, false) from unnest(array['key_id', 'person_id', 'request_id']) name",
    );
    await connection.query("select set_config('caller.operator', 'Olga', false)");
    await connection.query("select runner.finish($1, $2, $3, 'Done.', '{}')", [organisationId, runId, leaseId]);
  } finally {
    connection.release(true);
  }
  expect(await last(run, at.who.organisation.id)).toMatchObject({
    ...nobody,
    actor: "executor",
    after: { state: "completed" },
  });
});

test("the worker", async () => {
  const { body: routine } = await who.ask("POST", "/routines", {
    botId: who.bot,
    name: "Daily",
    schedule: "0 9 * * *",
    timeZone: "UTC",
    message: "Good morning",
  });
  await office.db
    .poolAs("worker", 1)
    .query("select jobs.fire_routine($1, $2, '0 9 * * *', 'UTC', '-infinity', null)", [
      who.organisation.id,
      routine.id,
    ]);
  expect(await last(routine.id)).toMatchObject({
    ...nobody,
    actor: "worker",
    what: "routine updated",
    after: { state: "paused", pauseReason: "schedule_ended" },
  });
});

test("an operator, with a reason", async () => {
  const operator = await acting(office.db);
  await operator.act("restrict_kind($1, 'salary', 'They asked for it.')", [who.organisation.id]);
  const [entry] = await office.db.sql<Entry>(
    "select actor, operator, reason, after from app.audit_trail where organisation_id = $1 and resource = 'restriction'",
    [who.organisation.id],
  );
  expect(entry).toEqual({
    actor: "operator",
    operator: "Otto act",
    reason: "They asked for it.",
    after: { kind: "salary" },
  });
});

test("whoever administers the database", async () => {
  await office.db.sql("update app.organisations set seat_ceiling = 300, name = 'Other' where id = $1", [
    who.organisation.id,
  ]);
  expect(await last(who.organisation.id)).toEqual({
    ...nobody,
    actor: "system",
    what: "organisation updated",
    changed: ["name", "seatCeiling"],
    before: { seatCeiling: 200 },
    after: { seatCeiling: 300 },
  });
});

test("a refusal and a rollback leave nothing; of a batch what was done, and nothing of an atomic one that was refused", async () => {
  const count = async () =>
    (await office.db.sql("select from app.audit_trail where organisation_id = $1", [who.organisation.id])).length;
  const before = await count();
  const claim = {
    method: "POST",
    path: "/memories",
    body: { scope: "organisation", kind: "fact", subject: "We", value: "We are." },
  };
  const refused = { method: "DELETE", path: `/memories/${who.bot}` };
  await who.ask("DELETE", `/memories/${who.bot}`, undefined, "mayFail");
  await who.ask("POST", "/batch", { atomic: true, operations: [claim, refused] });
  expect(await count()).toBe(before);
  await who.ask("POST", "/batch", { atomic: false, operations: [claim, refused, claim] });
  expect(await count()).toBe(before + 2);
});
