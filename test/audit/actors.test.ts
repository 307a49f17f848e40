/** Actor, credential and request of audit entries, for each way to write a row. */
import type { Pool } from "pg";
import { linkOf, press } from "../support/approvals.ts";
import { makeKey, makePlatformKey, setLimits } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { operatorLogin } from "../support/operator-login.ts";
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

/** The audit entries of a row, oldest first. */
const entriesOf = (id: string, organisation = who.organisation.id) =>
  office.db.sql<Entry>(
    `select actor, key_id as key, person_id as person, operator, reason, request_id as request, resource || ' ' || action as what,
       changed, before, after
     from app.audit_log where organisation_id = $1 and resource_id = $2 order by sequence`,
    [organisation, id],
  );

const last = async (id: string, organisation?: string) => (await entriesOf(id, organisation)).at(-1);
const nobody = { key: null, person: null, operator: null, reason: null, request: null };

test("an entry of an API key names the key, its person and the request", async () => {
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
  const memory = {
    scope: "organisation",
    botId: null,
    memberId: null,
    subjectKind: "organisation",
    validFrom: null,
    validTo: null,
    supersedes: null,
    supersededBy: null,
    provenance: "member",
    lawfulBasis: "legitimate_interests",
    createdBy: organisation.ownerId,
    runId: null,
  };
  const request = (reply: { headers: Headers }) => reply.headers.get("x-request-id");
  expect(await entriesOf(made.body.id)).toEqual([
    {
      ...by,
      request: request(made),
      what: "memory created",
      changed: [],
      before: null,
      after: { ...memory, confidence: 1 },
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
      before: { ...memory, confidence: 0.5 },
      after: null,
    },
  ]);
});

test("updates without a change, and of ignored columns, make no entry", async () => {
  const { body: endpoint } = await who.ask("POST", "/webhooks", {
    url: "https://a.example/",
    events: ["run.finished"],
  });
  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { url: "https://a.example/" });
  await office.db.sql(
    "update app.webhook_endpoints set consecutive_failures = 3, last_delivery_at = now() where id = $1",
    [endpoint.id],
  );
  expect(await entriesOf(endpoint.id)).toMatchObject([{ what: "webhook created" }]);
  await office.db.sql("update app.webhook_endpoints set state = 'paused' where id = $1", [endpoint.id]);
  expect(await last(endpoint.id)).toMatchObject({
    what: "webhook updated",
    changed: ["state"],
    before: { state: "active" },
    after: { state: "paused" },
  });
});

test("an entry of a platform key names the key and the request", async () => {
  const key = await makePlatformKey(office.db);
  const body = { name: "Founded", kind: "team", owner: { email: "founder@example.test", displayName: "Fay" } };
  const made = await office.api.call("POST", "/platform/organisations", { key: key.text, body });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  const by = { ...nobody, actor: "platform_key", key: key.id, request: made.headers.get("x-request-id") };
  expect(await entriesOf(made.body.id, made.body.id)).toMatchObject([{ ...by, what: "organisation created" }]);
  expect(await entriesOf(made.body.owner.userId, made.body.id)).toMatchObject([
    { ...by, what: "member created", after: { role: "owner" } },
  ]);
});

test("an entry of an invitation names the invitation and the new member", async () => {
  const { body: invitation } = await who.ask("POST", "/invitations", { email: "new@example.test", role: "admin" });
  expect((await accept(office.api, await tokenOf(office.db, invitation.id), "Nora New")).status).toBe(200);
  const [person] = await office.db.sql<{ id: string }>("select id from app.people where email = 'new@example.test'");
  const by = { ...nobody, actor: "invitation", key: invitation.id, person: person?.id, request: expect.any(String) };
  expect(await last(invitation.id)).toMatchObject({
    ...by,
    what: "invitation updated",
    after: { acceptedBy: person?.id },
  });
  expect(await entriesOf(person?.id ?? "")).toMatchObject([
    { ...by, what: "member created", after: { role: "admin" } },
  ]);
});

test("entries of an executor name no person, and entries of an approval name the person who approves", async () => {
  const at = await workplace(office, runner);
  const { organisation } = at.who;
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Remember it.", untrusted: true });
  const run = await leased(at.executor);
  const proposal = { scope: "organisation", kind: "policy", subject: "Harbour", value: "It closes at nine." };
  const { approvalId: approval = "" } = await at.executor.propose(run, proposal);
  await at.executor.finish(run);
  expect(await entriesOf(approval, organisation.id)).toMatchObject([
    { ...nobody, actor: "executor", what: "approval created" },
  ]);
  expect(await entriesOf(run.runId, organisation.id)).toMatchObject([
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

  expect((await press(office.api, await linkOf(office.db, approval), "approved")).status).toBe(200);
  const by = { ...nobody, actor: "approval", key: approval, person: organisation.ownerId, request: expect.any(String) };
  expect(await last(approval, organisation.id)).toMatchObject({
    ...by,
    what: "approval updated",
    after: { state: "approved" },
  });
  const [memory] = await office.db.sql<{ id: string }>("select id from app.memories where run_id = $1", [run.runId]);
  expect(await entriesOf(memory?.id ?? "", organisation.id)).toMatchObject([
    { ...by, what: "memory created", after: { runId: run.runId } },
  ]);
});

test("an executor that sets caller.key_id itself is logged as executor", async () => {
  const at = await workplace(office, runner);
  const run = (await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Hello" })).body.id;
  const connection = await runner.connect();
  try {
    const { rows } = await connection.query("select runner.lease_run($1) as run", [at.executor.id]);
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

test("an entry of the worker names no person", async () => {
  const { body: routine } = await who.ask("POST", "/routines", {
    botId: who.bot,
    name: "Daily",
    schedule: "0 9 * * *",
    timeZone: "UTC",
    message: "Good morning",
  });
  await who.ask("PATCH", `/routines/${routine.id}`, { schedule: "0 10 * * *" }); // the worker evaluates a changed schedule
  await office.db
    .poolAs("worker", 1)
    .query("select jobs.fire_routine($1, $2, '0 10 * * *', 'UTC', '-infinity', null)", [
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

test("an entry of an operator has name and reason", async () => {
  const operator = await operatorLogin(office.db);
  await operator.perform("restrict_kind($1, 'salary', 'They asked for it.')", [who.organisation.id]);
  const [entry] = await office.db.sql<Entry>(
    "select actor, operator, reason, after from app.audit_log where organisation_id = $1 and resource = 'restriction'",
    [who.organisation.id],
  );
  expect(entry).toEqual({
    actor: "operator",
    operator: "Otto act",
    reason: "They asked for it.",
    after: { kind: "salary" },
  });
});

test("an entry of a database administrator has actor system", async () => {
  await office.db.sql("update app.organisations set seats_bought = 300, name = 'Other' where id = $1", [
    who.organisation.id,
  ]);
  expect(await last(who.organisation.id)).toEqual({
    ...nobody,
    actor: "system",
    what: "organisation updated",
    changed: ["name", "seatsBought"],
    before: { seatsBought: null },
    after: { seatsBought: 300 },
  });
});

test("an entry of a changed limit has the name of the limit, although only its maximum changed", async () => {
  for (const seats of [300, 400]) await setLimits(office.db, who.organisation.id, { seats });
  const entries = await office.db.sql<Entry>(
    "select action, changed, before, after from app.audit_log where organisation_id = $1 and resource = 'limit' order by sequence",
    [who.organisation.id],
  );
  expect(entries).toEqual([
    { action: "created", changed: [], before: null, after: { name: "seats", maximum: 300 } },
    {
      action: "updated",
      changed: ["maximum"],
      before: { name: "seats", maximum: 300 },
      after: { name: "seats", maximum: 400 },
    },
  ]);
});

test("refusals and refused atomic batches make no entry; other batches log their successful operations", async () => {
  const count = async () =>
    (await office.db.sql("select from app.audit_log where organisation_id = $1", [who.organisation.id])).length;
  const before = await count();
  const memory = {
    method: "POST",
    path: "/memories",
    body: { scope: "organisation", kind: "fact", subject: "We", value: "We are." },
  };
  const refused = { method: "DELETE", path: `/memories/${who.bot}` };
  await who.ask("DELETE", `/memories/${who.bot}`, undefined, "mayFail");
  await who.ask("POST", "/batch", { atomic: true, operations: [memory, refused] });
  expect(await count()).toBe(before);
  await who.ask("POST", "/batch", { atomic: false, operations: [memory, refused, memory] });
  expect(await count()).toBe(before + 2);
});
