/** Writes of many organisations at once, which share transactions. (docs/decisions/0012-database-connections.md) */

import { setTimeout as sleep } from "node:timers/promises";
import { expectRefusal } from "../support/answers.ts";
import type { Reply } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { setLimits } from "../support/database.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const memory = (subject: string) => ({ scope: "organisation", kind: "note", subject, value: "Written at once." });

/** Members of new organisations, each known to the API's cache of identities. */
async function members(count: number): Promise<Member[]> {
  const all = await Promise.all(Array.from({ length: count }, () => here.owner()));
  await Promise.all(all.map((member) => member.get("/me")));
  return all;
}

const subjectsOf = async ({ organisation }: Member) =>
  (
    await here.db.sql<{ subject: string }>(
      "select subject from app.memories where organisation_id = $1 order by subject",
      [organisation.id],
    )
  ).map(({ subject }) => subject);

afterEach(async () => {
  expect(await here.db.sql("select * from audit.verify_chain()")).toEqual([]);
  expect(await here.db.sql("select from app.audit_pending_entries")).toEqual([]);
});

test("POST /memories at once: each row and log entry has its own organisation, key and request", async () => {
  const all = await members(6);
  const calls = all.flatMap((member) =>
    Array.from({ length: 12 }, (_, number) => ({ member, subject: `note ${number}` })),
  );
  const answers = await Promise.all(
    calls.map(async ({ member, subject }) => ({
      member,
      subject,
      answer: await member.post("/memories", memory(subject)),
    })),
  );
  expect(new Set(answers.map(({ answer }) => answer.status))).toEqual(new Set([201]));
  const entries = await here.db.sql(
    `select organisation_id as "organisationId", resource_id as id, key_id as "keyId", person_id as "personId",
       request_id as "requestId"
     from app.audit_log where resource = 'memory' and organisation_id = any ($1) order by id`,
    [all.map(({ organisation }) => organisation.id)],
  );
  const expected = answers.map(({ member: { organisation, key }, answer }) => ({
    organisationId: organisation.id,
    id: answer.body.id,
    keyId: key.id,
    personId: organisation.ownerId,
    requestId: answer.headers.get("x-request-id"),
  }));
  const byId = (one: { id?: unknown }, other: { id?: unknown }) => String(one.id).localeCompare(String(other.id));
  expect(entries.toSorted(byId)).toEqual(expected.toSorted(byId));
  const [{ transactions } = { transactions: 0 }] = await here.db.sql<{ transactions: number }>(
    "select count(distinct xmin::text)::int as transactions from app.audit_log where resource_id = any ($1)",
    [answers.map(({ answer }) => answer.body.id)],
  );
  expect(transactions).toBeLessThan(calls.length);
});

test("Refused, invalid, repeated and suspended calls among others: each gets its own answer", async () => {
  const [ada, bo, cy, suspended] = (await members(4)) as [Member, Member, Member, Member];
  await here.db.sql("update app.organisations set suspended_at = now() where id = $1", [suspended.organisation.id]);
  const restricted = { ...memory("A guest"), subjectKind: "third_party", kind: "health" };
  const once = { idempotencyKey: "once" };
  const round = () => [
    ada.post("/memories", memory("Ada")),
    bo.post("/memories", restricted),
    cy.post("/memories", { kind: 1 }),
    suspended.post("/memories", memory("Suspended")),
    ada.post("/memories", memory("Once"), once),
  ];
  const answers = await Promise.all(Array.from({ length: 5 }, round).flat());
  const expected = [201, 403, 400, 403, 201];
  // Of five equal calls at once, a call that meets the first one is refused.
  const statuses = answers.map(({ status }, index) => (index % 5 === 4 && status === 409 ? 201 : status));
  expect(statuses).toEqual(Array(5).fill(expected).flat());
  expect(await subjectsOf(ada)).toEqual([...Array(5).fill("Ada"), "Once"]);
  for (const other of [bo, cy, suspended]) expect(await subjectsOf(other)).toEqual([]);
});

test("A call that fails does not fail the calls that share its transaction", async () => {
  await here.db.sql(
    "create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$",
  );
  await here.db.sql(
    "create trigger fail before insert on app.memories for each row when (new.subject = 'Broken') execute function public.fail()",
  );
  const all = await members(4);
  const answers = await Promise.all(
    all.flatMap((member, index) =>
      Array.from({ length: 8 }, (_, number) =>
        member.post("/memories", memory(index === 0 && number % 4 === 0 ? "Broken" : `note ${number}`)),
      ),
    ),
  );
  await here.db.sql("drop trigger fail on app.memories");
  const broken = answers.filter(({ status }) => status !== 201);
  expect(broken).toHaveLength(2);
  for (const answer of broken) expectRefusal(answer, "internal");
  expect(await Promise.all(all.map(async (member) => (await subjectsOf(member)).length))).toEqual([6, 8, 8, 8]);
});

test("A call that waits for a lock of its organisation delays no other organisation's calls", async () => {
  const [locked, ...others] = (await members(5)) as [Member, ...Member[]];
  const holder = await begun(here.db);
  await holder.query("select from app.organisations where id = $1 for update", [locked.organisation.id]);
  const waiting = Array.from({ length: 3 }, (_, number) => locked.post("/memories", memory(`note ${number}`)));
  let answered = 0;
  for (const answer of waiting) void answer.then(() => (answered += 1));
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(others.map((other) => other.post("/memories", memory(`note ${round}`))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  }
  expect(answered).toBe(0);
  await holder.query("commit");
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await subjectsOf(locked)).toEqual(["note 0", "note 1", "note 2"]);
});

test("A repeat of a call that waits is idempotency_in_progress at once, and the call is performed once", async () => {
  const [ada] = (await members(1)) as [Member];
  const once = { idempotencyKey: "once" };
  const holder = await begun(here.db);
  await holder.query("select from app.organisations where id = $1 for update", [ada.organisation.id]);
  const answers: Promise<Reply>[] = [];
  const refused: Reply[] = [];
  const send = () => {
    const answer = ada.post("/memories", memory("Once"), once);
    answers.push(answer);
    void answer.then((reply) => reply.status === 409 && refused.push(reply));
  };
  send();
  // Before and after a call was sent alone. A repeat that comes between is performed, and the first call is refused.
  for (const pauseMs of [0, 100]) {
    await sleep(pauseMs); // longer than a shared transaction waits for a lock
    await eventually(async () => (await lockWaits(here.db)) === 1);
    send();
  }
  await eventually(async () => refused.length === 2);
  for (const reply of refused) expectRefusal(reply, "idempotency_in_progress");
  await holder.query("commit");
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await subjectsOf(ada)).toEqual(["Once"]);
});

test("A cancelled transaction has no effect, and each of its calls is performed once", async () => {
  const all = await members(4);
  const cancelling = (async () => {
    for (let times = 0; times < 30; times += 1) {
      await here.db.sql(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = 'server' and state = 'active'`,
      );
    }
  })();
  const answers = await Promise.all(
    all.flatMap((member) =>
      Array.from({ length: 20 }, async (_, number) => ({
        member,
        subject: `note ${String(number).padStart(2, "0")}`,
        status: (await member.post("/memories", memory(`note ${String(number).padStart(2, "0")}`))).status,
      })),
    ),
  );
  await cancelling;
  for (const { status } of answers) expect([201, 503]).toContain(status);
  for (const member of all) {
    const created = answers.filter((answer) => answer.member === member && answer.status === 201);
    expect(await subjectsOf(member)).toEqual(created.map(({ subject }) => subject).sort());
  }
});

test("POST /runs at once: an organisation at its hourly limit starts exactly that many, the others all", async () => {
  const all = await members(3);
  const [limited] = all as [Member];
  await setLimits(here.db, limited.organisation.id, { runStartsPerHour: 5 });
  const bots = await Promise.all(all.map(async (member) => (await member.post("/bots", { name: "Bot" })).body.id));
  const answers = await Promise.all(
    all.flatMap((member, index) =>
      Array.from({ length: 12 }, () => member.post("/runs", { botId: bots[index], message: "Hello?" })),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 12).sort()).toEqual([...Array(5).fill(202), ...Array(7).fill(429)]);
  expect(statuses.slice(12)).toEqual(Array(24).fill(202));
  const queued = await here.db.sql<{ runs: number }>(
    "select count(*)::int as runs from app.runs where organisation_id = any ($1)",
    [all.map(({ organisation }) => organisation.id)],
  );
  expect(queued).toEqual([{ runs: 29 }]);
  await eventually(async () => (await here.db.sql("select from app.audit_pending_entries")).length === 0);
});
