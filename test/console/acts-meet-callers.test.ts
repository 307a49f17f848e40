/** Acts where they meet callers, executors and people: what is done is theirs at once, and nothing is done twice. */
import type { Pool } from "pg";
import { type Acting, acting } from "../support/acting.ts";
import { linkOf, press, raiseCard } from "../support/approvals.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { claimed, workplace } from "../support/hand-executor.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { mutation } from "./acts.ts";

let office: PostOffice;
let operator: Acting;
let runner: Pool;
let here: TestConsole;
let token: string;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  [operator, here] = await Promise.all([acting(office.db), testConsole(office.db)]);
  token = (await mintToken(office.db, "act")).text;
  runner = office.db.poolAs("runner");
}, 60_000);
afterAll(async () => {
  await here.stop();
  await office.close();
});

/** What the console answers to whoever mints a key for the owner. */
const mintFor = ({ id, ownerId }: Customer["organisation"], more: object = {}) =>
  here.ask(mutation("mintKey"), token, {
    input: { organisation: id, person: ownerId, name: "New", scope: "read", days: 1, reason: "Lost", ...more },
  });

test("a key that was minted works at once, is that person's, and is nowhere but in the answer", async () => {
  const { organisation } = await customer(office);
  const told = await mintFor(organisation);
  const { key, id } = told.data.mintKey.result;
  const me = await office.api.call("GET", "/me", { key });
  expect(me.body).toMatchObject({ key: { id, scope: "read" }, person: { userId: organisation.ownerId } });
  const kept = await office.db.sql<{ row: string }>(
    "select to_json(act)::text as row from app.operator_acts act union all select to_json(entry)::text from app.audit_trail entry",
  );
  expect(kept.map(({ row }) => row).join()).not.toContain(key.slice(12));
});

test.each([{ days: 0 }, { days: -1 }, { days: 366 }, { days: 36_500 }, { name: "" }, { name: "🗝".repeat(61) }])(
  "a key with %j is refused, and nothing is written down",
  async (wrong) => {
    const { organisation } = await customer(office);
    const told = await mintFor(organisation, wrong);
    expect(told.errors?.[0]?.extensions).toMatchObject({
      code: "invalid_request",
      details: [{ path: Object.keys(wrong)[0] }],
    });
    const kept = "select from app.operator_acts where organisation_id = $1";
    expect(await office.db.sql(kept, [organisation.id])).toEqual([]);
    expect(
      await office.db.sql("select from app.api_keys where scope = 'read' and organisation_id = $1", [organisation.id]),
    ).toEqual([]);
  },
);

test("whom an executor holds too long is released: another takes it, and the first writes nothing more", async () => {
  const { who, executor } = await workplace(office, runner);
  const id = await who.run();
  const held = await claimed(executor);
  await operator.act("release_run($1, $2, 'Hangs')", [who.organisation.id, id]);
  await expect(executor.finish(held, "Too late.")).rejects.toThrow();
  const again = await claimed(executor);
  expect([again.runId, again.leaseId === held.leaseId]).toEqual([id, false]);
  await executor.finish(again, "Done.");
  await expect(operator.act("release_run($1, $2, 'Hangs')", [who.organisation.id, id])).rejects.toMatchObject({
    message: "conflict",
  });
  const { data } = (await who.ask("GET", `/runs/${id}/messages`)).body;
  expect(data.filter(({ author }: { author: string }) => author === "bot")).toHaveLength(1);
});

test("of an executor that finishes and an operator who releases at once, one counts", async () => {
  const { who, executor } = await workplace(office, runner);
  for (let round = 0; round < 5; round += 1) {
    const id = await who.run();
    const held = await claimed(executor);
    const [finished, released] = await Promise.allSettled([
      executor.finish(held),
      operator.act("release_run($1, $2, 'Hangs')", [who.organisation.id, id]),
    ]);
    const [run] = await office.db.sql<{ state: string }>("select state::text from app.runs where id = $1", [id]);
    expect([finished.status, released.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(run?.state).toBe(finished.status === "fulfilled" ? "completed" : "queued");
    if (run?.state === "queued") await executor.finish(await claimed(executor));
  }
});

test("what a card proposed lands when an operator approves it after it has expired, and only then", async () => {
  const { who, executor } = await workplace(office, runner);
  const run = await who.run();
  await executor.finish(await claimed(executor));
  const card = await raiseCard(office.db, run);
  const link = await linkOf(office.db, card);
  const claims = async () => (await who.ask("GET", "/memories")).body.data.length;
  const answer = (approve: boolean) =>
    operator.act("answer_card($1, $2, $3, 'They were on leave')", [who.organisation.id, card, approve]);
  await expect(answer(true)).rejects.toMatchObject({ message: "conflict" }); // it is open: its person's to answer
  await office.db.sql("update app.approvals set expires_at = now() where id = $1", [card]);
  expect((await press(office.api, link, "approved")).status).not.toBe(200);
  expect(await claims()).toBe(0);
  await answer(true);
  expect(await claims()).toBe(1);
  await expect(answer(false)).rejects.toMatchObject({ message: "conflict" });
  expect(await claims()).toBe(1);
});

test("an invitation sent again has a new way in, and the one of before leads nowhere", async () => {
  const who = await customer(office);
  const { id } = (await who.ask("POST", "/invitations", { email: "guest@example.test", role: "member" })).body;
  const digest = async () =>
    (
      await office.db.sql<{ hex: string }>(
        "select encode(token_digest, 'hex') as hex from app.invitations where id = $1",
        [id],
      )
    )[0]?.hex;
  const before = await digest();
  const told = await here.ask(mutation("resendInvitation"), token, {
    input: { organisation: who.organisation.id, invitation: id, reason: "It was not received" },
  });
  expect(told.data.resendInvitation.result.id).toBe(id);
  expect(await digest()).not.toBe(before);
  expect(JSON.stringify(told)).not.toContain("bsi_");
});

test("a row of another organisation is out of an act's reach, though the operator may act on both", async () => {
  const [{ who: one }, other] = [await workplace(office, runner), await customer(office)];
  const run = await one.run();
  for (const call of [
    "cancel_run($1, $2, 'x')",
    "release_run($1, $2, 'x')",
    "disable_endpoint($1, $2, 'x')",
    "revoke_key($1, $2, 'x')",
  ]) {
    await expect(operator.act(call, [other.organisation.id, run])).rejects.toMatchObject({ message: "not_found" });
  }
  expect((await one.ask("GET", `/runs/${run}`)).body.state).toBe("queued");
});
