/**
 * Seats, limits and links of invitations under concurrent connections. (docs/specification/organisation-and-me.md#limits)
 */
import { randomUUID } from "node:crypto";
import type { Reason } from "../../src/contract/reasons.ts";
import type { RefusalCode } from "../../src/contract/refusals.ts";
import { digestOf } from "../../src/secrets/credentials.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply, TestApi } from "../support/api.ts";
import { call } from "../support/bot-writers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { setLimits } from "../support/database.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { anEmailAddress } from "../support/resources.ts";
import { begun, lockWaits, untilWaiting } from "../support/transactions.ts";
import { twoProcesses, untilAvailable } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const processes = twoProcesses(here);
const { atOnce } = processes;

const invited = (api: TestApi, { key }: Member, email = anEmailAddress()): Promise<Reply<Json>> =>
  api.call("POST", "/invitations", { key: key.text, body: { email } });

function expectDone(answers: Reply<Json>[], status: number, max: number, code: RefusalCode | Reason): void {
  expect(answers.filter((answer) => answer.status === status)).toHaveLength(max);
  for (const answer of answers) if (answer.status !== status) expectRefusal(answer, code);
}

const count = async (ada: Member, table = "app.invitations", where = "true") =>
  (await here.db.sql(`select from ${table} where organisation_id = $1 and ${where}`, [ada.organisation.id])).length;

test("Thirty new and resent invitations at once stay within the hourly limit of mails", async () => {
  const ada = await here.owner();
  const { id } = (await invited(here.api, ada)).body;
  await setLimits(here.db, ada.organisation.id, { invitationsPerHour: 11, invitationsPerAddressPerDay: 100 });
  await here.db.sql("update app.mails set sent_at = now() where organisation_id = $1", [ada.organisation.id]);
  const answers = await atOnce(30, (api, each) =>
    each % 3 ? invited(api, ada) : api.call("POST", `/invitations/${id}/resend`, { key: ada.key.text }),
  );
  const refused = answers.filter(({ status }) => status !== 201 && status !== 200);
  for (const answer of refused) expectRefusal(answer, "limit_invitations_per_hour");
  // The next mail of an invitation withdraws the pending one, which no longer counts.
  expect(await count(ada, "app.mails", "kind = 'invitation'")).toBeLessThanOrEqual(11);
  expect(30 - refused.length).toBeGreaterThanOrEqual(10);
});

test("Ten resend_invitation calls at once to one address send five mails in total", async () => {
  const ada = await here.owner();
  const { id } = (await invited(here.api, ada)).body;
  // Marks each mail as sent at once, so that the next does not withdraw it.
  await here.db.sql(`create function triggers.sent() returns trigger language plpgsql as
    $$ begin new.sent_at := now(); return new; end $$`);
  await here.db.sql(
    "create trigger _200_sent before insert on app.mails for each row execute function triggers.sent()",
  );
  await here.db.sql("update app.mails set sent_at = now() where organisation_id = $1", [ada.organisation.id]);
  const answers = await atOnce(10, (api) => api.call("POST", `/invitations/${id}/resend`, { key: ada.key.text }));
  await here.db.sql("drop trigger _200_sent on app.mails");
  await here.db.sql("drop function triggers.sent");
  expectDone(answers, 200, 4, "limit_invitations_to_address");
  expect(await count(ada, "app.mails", "kind = 'invitation'")).toBe(5);
});

test("Twenty create_invitation calls at once for one address create one invitation", async () => {
  const ada = await here.owner();
  const email = anEmailAddress();
  const answers = await atOnce(20, (api, each) => invited(api, ada, each % 3 ? email : email.toUpperCase()));
  expectDone(answers, 201, 1, "conflict");
  expect(await count(ada)).toBe(1);
});

test("Concurrent invitations and acceptances fill the seats exactly, without counting one twice", async () => {
  const ada = await here.owner();
  const open = await atOnce(10, (api) => invited(api, ada));
  const tokens = await Promise.all(open.map(({ body }) => tokenOf(here.db, body.id)));
  await setLimits(here.db, ada.organisation.id, { seats: 21 }); // the owner, ten invited people and ten more
  const [accepted, more] = await Promise.all([
    atOnce(10, (api, each) => untilAvailable(() => accept(api, tokens[each] ?? ""))),
    atOnce(15, (api) => invited(api, ada)),
  ]);
  expect(accepted.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expectDone(more, 201, 10, "quota_exceeded");
  expect((await ada.get("/organisation")).body.seats).toMatchObject({ members: 11, openInvitations: 10 });
});

test("Twenty acceptances of one link at once make one member, and all show that it is accepted", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const token = await tokenOf(here.db, row.id);
  const answers = await atOnce(20, (api, each) => untilAvailable(() => accept(api, token, `Name ${each}`)));
  for (const { status, html } of answers) {
    expect(status).toBe(200);
    expect(html).toContain("<h1>Accepted</h1>");
  }
  expect(await count(ada, "app.memberships")).toBe(2);
});

test("Accepting and revoking an invitation at once has exactly one of the two effects", async () => {
  for (let round = 0; round < 10; round += 1) {
    const ada = await here.owner();
    const { body: row } = await invited(here.api, ada);
    const token = await tokenOf(here.db, row.id);
    const [accepted, revoked] = await Promise.all([
      accept(here.api, token),
      processes.second.call("DELETE", `/invitations/${row.id}`, { key: ada.key.text }),
    ]);
    const joined = (await count(ada, "app.memberships")) === 2;
    expect(accepted.html).toContain(joined ? "<h1>Accepted</h1>" : "was revoked");
    if (joined) expectRefusal(revoked, "conflict");
    else expectAnswer("revoke_invitation", revoked);
  }
});

test("Ten resend_invitation calls at once leave one mail and one working link", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const answers = await atOnce(10, (api) => api.call("POST", `/invitations/${row.id}/resend`, { key: ada.key.text }));
  for (const answer of answers) expectAnswer("resend_invitation", answer);
  expect(await count(ada, "app.mails", "kind = 'invitation'")).toBe(1); // the other mails were withdrawn before they were sent
  expect((await accept(here.api, await tokenOf(here.db, row.id))).status).toBe(200);
});

test("resend_invitation causes no deadlock with a transaction that created another invitation", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const batch = await begun(here.db, "server");
  const link = () => ({ tokenDigest: digestOf(randomUUID()).toString("hex"), tokenSealed: "00" });
  const within = async (operation: string, input: Json) => {
    const { text, values } = call(ada.key.digest, operation, { ...input, ...link() });
    return (await batch.query(text, values)).rows[0].answer;
  };
  expect(await within("create_invitation", { email: anEmailAddress(), role: "member" })).toMatch(/^\{"status":201/);
  const again = here.api.call("POST", `/invitations/${row.id}/resend`, { key: ada.key.text });
  await untilWaiting(here.db, 1, again);
  expect(await within("resend_invitation", { id: row.id })).toMatch(/^\{"status":200/);
  await batch.query("commit");
  expectAnswer("resend_invitation", await again);
});

test("An acceptance that waits for a revocation returns 410 and makes no member", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const token = await tokenOf(here.db, row.id);
  const holder = await begun(here.db);
  await holder.query("update app.invitations set revoked_at = now() where id = $1", [row.id]);
  const waiting = accept(here.api, token);
  await eventually(async () => (await lockWaits(here.db)) === 1);
  await holder.query("commit");
  expect(await waiting).toEqual({ status: 410, html: expect.stringContaining("was revoked") });
  expect(await count(ada, "app.memberships")).toBe(1);
});
