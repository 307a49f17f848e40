/**
 * A database that is gone, slow or busy: 503 while it lasts, then recovery. (docs/specification/conventions.md#errors)
 */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Reply } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { begun, lockWaits, terminateWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile({ RESPONSE_TIMEOUT_SECONDS: "10" });

/** Runs the work while another session holds the locks of this statement: what it waits for is answered meanwhile. */
async function whileHeld(statement: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const holder = await begun(here.db);
  await holder.query(statement, values);
  await work();
  await holder.query("rollback");
}

const organisationRow = "select from app.organisations where id = $1 for update";
const makeKey = (ada: Member, idempotencyKey?: string) =>
  ada.post("/keys", { name: "CI" }, idempotencyKey === undefined ? {} : { idempotencyKey });

test("Connections that the database terminates are replaced by the next requests", async () => {
  const ada = await here.owner();
  await Promise.all(Array.from({ length: 20 }, () => ada.get("/bots")));
  await ada.get("/me");
  const ended = await here.db.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'botstead api'",
  );
  expect(ended.length).toBeGreaterThan(1); // connections of the pipelined pool and the ordinary one
  const answers = await Promise.all(Array.from({ length: 20 }, (_, each) => ada.get(each % 2 ? "/me" : "/bots")));
  for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, "unavailable");
  await eventually(async () => (await ada.get("/me")).status === 200 && (await ada.get("/bots")).status === 200);
  const after = await Promise.all(Array.from({ length: 20 }, (_, each) => ada.get(each % 2 ? "/me" : "/bots")));
  expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
});

test("A new table without grants, as during a migration, returns 503", async () => {
  const ada = await here.owner();
  const key = "amid a migration";
  await here.db.sql("revoke all on app.idempotency_records from tenant");
  try {
    expectRefusal(await makeKey(ada, key), "unavailable");
    expectAnswer("list_bots", await ada.get("/bots"));
  } finally {
    await here.db.sql("grant select, insert, update on app.idempotency_records to tenant");
  }
  expectAnswer("create_key", await makeKey(ada, key)); // the refused call had no effect and stored no response
});

test("Definitions of another version, without the called function, return 503", async () => {
  const ada = await here.owner();
  expectAnswer("list_bots", await ada.get("/bots"));
  await here.db.sql("alter function api.handle rename to handle_otherwise");
  try {
    expectRefusal(await ada.get("/bots"), "unavailable");
    expectRefusal(await makeKey(ada), "unavailable");
  } finally {
    await here.db.sql("alter function api.handle_otherwise rename to handle");
  }
  expectAnswer("list_bots", await ada.get("/bots"));
});

test("A session terminated during a request returns 503, and nothing of the request is committed", async () => {
  const ada = await here.owner();
  await whileHeld(organisationRow, [ada.organisation.id], async () => {
    const pending = makeKey(ada, "once");
    await terminateWaiting(here.db, "botstead api");
    expectRefusal(await pending, "unavailable");
  });
  const made = await makeKey(ada, "once");
  expectAnswer("create_key", made);
  expect(made.headers.get("idempotent-replayed")).toBeNull();
  expect((await ada.get("/keys")).body.data).toHaveLength(2);
});

test("A locked row returns 503 and stores no response; reads continue", async () => {
  const ada = await here.owner();
  await whileHeld(organisationRow, [ada.organisation.id], async () => {
    const pending = makeKey(ada, "once");
    expectAnswer("get_me", await ada.get("/me"));
    expectAnswer("list_keys", await ada.get("/keys"));
    expectRefusal(await pending, "unavailable");
  });
  expectAnswer("create_key", await makeKey(ada, "once"));
});

test("When one organisation's connections are all waiting, further requests return 503, and reads by id and lists succeed", async () => {
  const ada = await here.owner();
  await whileHeld(organisationRow, [ada.organisation.id], async () => {
    const stuck = Array.from({ length: 25 }, () => makeKey(ada));
    await eventually(async () => (await lockWaits(here.db)) === 7); // the maximum for one organisation
    expectAnswer("get_me", await ada.get("/me"));
    expectAnswer("list_bots", await ada.get("/bots"));
    for (const answer of await Promise.all(stuck)) expectRefusal(answer as Reply, "unavailable");
  });
  expectAnswer("create_key", await makeKey(ada));
  expect((await ada.get("/keys")).body.data).toHaveLength(2);
});

test("A locked table returns 503, also for reads by id, and serves again afterwards", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  await whileHeld("lock table app.bots in access exclusive mode", [], async () => {
    const answers = await Promise.all([ada.get(`/bots/${bot.id}`), ada.get("/bots"), ada.get("/me")]);
    expectRefusal(answers[0], "unavailable");
    expectRefusal(answers[1], "unavailable");
  });
  expectAnswer("get_bot", await ada.get(`/bots/${bot.id}`));
  expectAnswer("get_me", await ada.get("/me"));
});

const organisationAndPeople = `with organisation as (select from app.organisations where id = $1 for update)
  select from app.people, organisation where people.id = $2 for update`;
const newMemory = { scope: "organisation", kind: "fact", subject: "Door", value: "It is open." };

test("create_memory that waits for a lock returns 503 and delays no other organisation", async () => {
  const ada = await here.owner();
  const bob = await here.owner();
  const { id, ownerId } = ada.organisation;
  await whileHeld(organisationAndPeople, [id, ownerId], async () => {
    let over = false;
    const stuck = ada.post("/memories", newMemory, { idempotencyKey: "once" }).finally(() => {
      over = true;
    });
    await eventually(async () => (await lockWaits(here.db)) === 1);
    const others = await Promise.all(Array.from({ length: 24 }, () => bob.post("/memories", newMemory)));
    expect(over).toBe(false);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 201));
    expectRefusal(await stuck, "unavailable");
  });
  const made = await ada.post("/memories", newMemory, { idempotencyKey: "once" });
  expectAnswer("create_memory", made);
  expect(made.headers.get("idempotent-replayed")).toBeNull();
  expect((await ada.get("/memories")).body.data).toHaveLength(1);
});

test("Each of 48 pipelined create_memory calls gets its own result, independent of the others", async () => {
  const ada = await here.owner();
  const sent = Array.from({ length: 48 }, (_, n) => {
    if (n % 3 === 0) return { ...newMemory, subjectKind: "third_party", kind: "health" };
    return { ...newMemory, value: `Door ${n}` };
  });
  const answers = await Promise.all(sent.map((body, n) => ada.post("/memories", body, { idempotencyKey: `${n}` })));
  for (const [n, answer] of answers.entries()) {
    if (n % 3 === 0) expectRefusal(answer, "forbidden");
    else expect([answer.status, answer.body.value]).toEqual([201, `Door ${n}`]);
  }
  const again = await Promise.all(sent.map((body, n) => ada.post("/memories", body, { idempotencyKey: `${n}` })));
  expect(again.map(({ body }) => body.id ?? body.error.code)).toEqual(
    answers.map(({ body }) => body.id ?? body.error.code),
  );
});
