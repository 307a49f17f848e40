/** Bots, runs and invitations of a member who is removed. (docs/specification/members.md#removal) */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Reply } from "../support/api.ts";
import { call } from "../support/bot-writers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { handExecutor, leased } from "../support/hand-executor.ts";
import { runState } from "../support/stored.ts";
import { begun, untilWaiting } from "../support/transactions.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner", 2);
});

type Leaver = Member & { id: string; personal: string; team: string };

/** An owner who stays, with a team bot, and an admin with a personal bot. */
async function two(): Promise<{ ada: Member; bob: Leaver; executor: Awaited<ReturnType<typeof handExecutor>> }> {
  const ada = await here.owner();
  const id = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", id);
  const model = `hand-${randomUUID()}`;
  const executor = await handExecutor(here.db, pool, [model]);
  const team = (await ada.post("/bots", { name: "Team's", model })).body.id;
  const personal = (await bob.post("/bots", { name: "Mine", model, visibility: "personal" })).body.id;
  return { ada, bob: { ...bob, id, team, personal }, executor };
}

const routine = { name: "Daily", schedule: "0 9 * * *", timeZone: "UTC", message: "Hello" };
const started = async (by: Member, botId: string) =>
  expectAnswer("start_run", await by.post("/runs", { botId, message: "Hello" })).id as string;
const removed = async (ada: Member, { id }: Leaver) =>
  expectAnswer("remove_member", await ada.delete(`/members/${id}`));
test("remove_member deletes the member's personal bots with their hooks, routines and memories, and frees their limits", async () => {
  const { ada, bob } = await two();
  await setLimits(here.db, ada.organisation.id, { liveHooks: 2, liveRoutines: 2 });
  const hook = { botId: bob.personal, name: "Alerts" };
  for (let made = 0; made < 2; made += 1) {
    expectAnswer("create_hook", await bob.post("/hooks", hook));
    expectAnswer("create_routine", await bob.post("/routines", { botId: bob.personal, ...routine }));
  }
  const newMemory = { scope: "bot", botId: bob.personal, kind: "fact", subject: "Me", value: "I am." };
  const { id: memoryId } = expectAnswer("create_memory", await bob.post("/memories", newMemory));
  const own = { botId: bob.team, name: "Alerts" };
  expectRefusal(await ada.post("/hooks", own), "quota_exceeded");
  await removed(ada, bob);
  for (let made = 0; made < 2; made += 1) {
    expectAnswer("create_hook", await ada.post("/hooks", own));
    expectAnswer("create_routine", await ada.post("/routines", { botId: bob.team, ...routine }));
  }
  expectRefusal(await ada.post("/hooks", own), "quota_exceeded");
  expect(await here.db.sql("select from app.memories where id = $1", [memoryId])).toEqual([]);
  expect(
    await here.db.sql("select deleted_at is null as live from app.bots where id = any ($1) order by id", [
      [bob.team, bob.personal],
    ]),
  ).toEqual([{ live: true }, { live: false }]);
});

test("remove_member cancels the member's runs in any state and of any bot; other runs continue", async () => {
  const { ada, bob, executor } = await two();
  const ended = await started(bob, bob.team);
  await executor.finish(await leased(executor));
  const asks = await started(bob, bob.team);
  const approvalId = await executor.ask(await leased(executor));
  const behind = await started(bob, bob.team);
  const blocked = await started(bob, bob.personal);
  await executor.block(await leased(executor));
  const working = await started(bob, bob.personal);
  const lease = await leased(executor);
  const others = await started(ada, bob.team);

  await removed(ada, bob);
  for (const run of [asks, behind, blocked, working]) expect(await runState(here.db, run)).toBe("cancelled");
  expect([await runState(here.db, ended), await runState(here.db, others)]).toEqual(["completed", "queued"]);
  await expect(executor.step(lease)).rejects.toMatchObject({ message: "lease_lost" });
  expect(await here.db.sql("select state from app.approvals where id = $1", [approvalId])).toEqual([
    { state: "withdrawn" },
  ]);
  expect(await here.db.sql("select from app.mails where data ->> 'approvalId' = $1", [approvalId])).toEqual([]);
  expect((await leased(executor)).runId).toBe(others);
});

test("remove_member keeps routines and team bots that the member created", async () => {
  const { ada, bob } = await two();
  const { id } = expectAnswer("create_routine", await bob.post("/routines", { botId: bob.team, ...routine }));
  const { body: bot } = await bob.post("/bots", { name: "For all" });
  await removed(ada, bob);
  expectAnswer("get_bot", await ada.get(`/bots/${bot.id}`));
  expectAnswer("delete_routine", await ada.delete(`/routines/${id}`));
});

test("remove_member changes nothing in another organisation of the member", async () => {
  const { ada, bob } = await two();
  const elsewhere = await here.owner();
  await here.db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')", [
    elsewhere.organisation.id,
    bob.id,
  ]);
  const there = await here.another(elsewhere, "admin", bob.id);
  const { body: bot } = await there.post("/bots", { name: "Mine", visibility: "personal" });
  const run = await started(there, bot.id);
  await removed(ada, bob);
  expectAnswer("get_bot", await there.get(`/bots/${bot.id}`));
  expect(await runState(here.db, run)).toBe("queued");
});

test("start_run during an uncommitted removal of its caller is refused", async () => {
  const { ada, bob } = await two();
  const removing = await begun(here.db, "server");
  const { text, values } = call(ada.key.digest, "remove_member", { userId: bob.id });
  expect((await removing.query(text, values)).rows[0].answer).toMatch(/^\{"status":200/);
  const pending = bob.post("/runs", { botId: bob.team, message: "Hello" });
  await untilWaiting(here.db, 1, pending);
  await removing.query("commit");
  expectRefusal(await pending, "unauthenticated");
  expect(await here.db.sql("select from app.runs where person_id = $1", [bob.id])).toEqual([]);
});

describe("An invitation during the uncommitted removal of its caller", () => {
  const email = () => `guest.${randomUUID()}@example.test`;
  const expired = async (by: Member) => {
    const { id } = expectAnswer("create_invitation", await by.post("/invitations", { email: email() }));
    await here.db.sql("update app.invitations set expires_at = now() where id = $1", [id]);
    return id;
  };
  test.each<[string, (bob: Member, ada: Member) => Promise<() => Promise<Reply>>]>([
    ["that they make", async (bob) => () => bob.post("/invitations", { email: email() })],
    [
      "that they send again",
      async (bob, ada) => {
        const id = await expired(ada); // one of theirs would be revoked
        return () => bob.post(`/invitations/${id}/resend`);
      },
    ],
  ])("%s is refused, takes no seat and sends no mail", async (_, prepare) => {
    const { ada, bob } = await two();
    const ask = await prepare(bob, ada);
    const left = () =>
      here.db.sql(
        `select (select json_agg(invitation order by id) from app.invitations invitation where organisation_id = $1) as invitations,
           (select json_agg(mail.id order by id) from app.mails mail where organisation_id = $1) as mails`,
        [ada.organisation.id],
      );
    const before = await left();
    const removing = await begun(here.db, "server");
    const { text, values } = call(ada.key.digest, "remove_member", { userId: bob.id });
    expect((await removing.query(text, values)).rows[0].answer).toMatch(/^\{"status":200/);
    const pending = ask();
    await untilWaiting(here.db, 1, pending);
    await removing.query("commit");
    expectRefusal(await pending, "unauthenticated");
    expect(await left()).toEqual(before);
  });
});

test("A run whose start is not committed yet is cancelled by its person's removal", async () => {
  const { ada, bob } = await two();
  const starting = await begun(here.db, "server");
  const { text, values } = call(bob.key.digest, "start_run", { botId: bob.team, message: "Hello", untrusted: false });
  expect((await starting.query(text, values)).rows[0].answer).toMatch(/^\{"status":202/);
  const pending = ada.delete(`/members/${bob.id}`);
  await untilWaiting(here.db, 1, pending);
  await starting.query("commit");
  expectAnswer("remove_member", await pending);
  expect(await here.db.sql("select state from app.runs where person_id = $1", [bob.id])).toEqual([
    { state: "cancelled" },
  ]);
});
