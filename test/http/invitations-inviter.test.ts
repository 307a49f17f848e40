/** Invitations end with the authority of their inviter. (docs/specification/invitations.md#inviter) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { call } from "../support/bot-writers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { anEmailAddress } from "../support/resources.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { untilAvailable } from "../support/two-processes.ts";

const here = apiOfFile();

/** An owner, and an admin who has invited a second address of their own as admin. */
async function invited() {
  const ada = await here.owner();
  const bobId = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", bobId);
  const email = anEmailAddress();
  const row = expectAnswer("create_invitation", await bob.post("/invitations", { email, role: "admin" }));
  return { ada, bob, bobId, email, row, token: await tokenOf(here.db, row.id) };
}

const members = async ({ organisation }: Member) =>
  (await here.db.sql("select from app.memberships where organisation_id = $1", [organisation.id])).length;
const remove = (ada: Member, id: string) => ada.delete(`/members/${id}`);
const demote = (ada: Member, id: string) => ada.patch(`/members/${id}`, { role: "member" });
const statusOf = async (token: string) => (await fetch(`${here.api.url}/invitation/${token}`)).status;

test.each([
  ["removed", remove],
  ["demoted", demote],
])("seat and address of an invitation are free and its mail is withdrawn when its inviter is %s", async (_, end) => {
  const { ada, bobId, email, row } = await invited();
  expect((await end(ada, bobId)).status).toBe(200);
  expect((await ada.get("/organisation")).body.seats.openInvitations).toBe(0);
  expect(await here.db.sql("select from app.mails where data ->> 'invitationId' = $1", [row.id])).toEqual([]);
  expectRefusal(await ada.post(`/invitations/${row.id}/resend`), "invitation_revoked");
  expectAnswer("create_invitation", await ada.post("/invitations", { email }));
});

test("an owner who becomes admin keeps their invitations", async () => {
  const { ada, bobId, row } = await invited();
  expectAnswer("change_member", await ada.patch(`/members/${bobId}`, { role: "owner" }));
  expectAnswer("change_member", await ada.patch(`/members/${bobId}`, { role: "admin" }));
  expect(expectAnswer("get_invitation", await ada.get(`/invitations/${row.id}`)).revokedAt).toBeNull();
});

test.each([
  ["removed", remove],
  ["demoted", demote],
])("the link stays 404 and the row revoked when its %s inviter is an admin again", async (_, end) => {
  const { ada, bobId, token, row } = await invited();
  expect((await end(ada, bobId)).status).toBe(200);
  await here.db.sql(
    `insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')
     on conflict (organisation_id, person_id) do update set role = 'admin'`,
    [ada.organisation.id, bobId],
  );
  expect(await statusOf(token)).toBe(404);
  const shown = expectAnswer("get_invitation", await ada.get(`/invitations/${row.id}`));
  expect(shown).toMatchObject({ revokedAt: expect.any(String), invitedBy: bobId });
});

test("the link of an accepted invitation still says so when its inviter is removed", async () => {
  const { ada, bobId, bob } = await invited();
  const other = expectAnswer("create_invitation", await bob.post("/invitations", { email: anEmailAddress() }));
  const accepted = await tokenOf(here.db, other.id);
  expect((await accept(here.api, accepted)).status).toBe(200);
  expectAnswer("remove_member", await remove(ada, bobId));
  expect(await statusOf(accepted)).toBe(200);
});

test("the link is 404 also if the membership was deleted past the triggers", async () => {
  const { bobId, token } = await invited();
  await here.db.sql(
    `do $$ begin
       set local session_replication_role = replica;
       delete from app.memberships where person_id = '${bobId}';
     end $$`,
  );
  expect(await statusOf(token)).toBe(404);
});

test("who sends an invitation again becomes its inviter", async () => {
  const { ada, bobId, row } = await invited();
  const again = expectAnswer("resend_invitation", await ada.post(`/invitations/${row.id}/resend`));
  expect(again.invitedBy).toBe(ada.organisation.ownerId);
  expectAnswer("remove_member", await remove(ada, bobId));
  expect((await accept(here.api, await tokenOf(here.db, row.id))).status).toBe(200);
});

test("an invitation during the uncommitted demotion of its caller is refused", async () => {
  const { ada, bob, bobId } = await invited();
  const demoting = await begun(here.db, "server");
  const { text, values } = call(ada.key.digest, "change_member", { userId: bobId, role: "member" });
  expect((await demoting.query(text, values)).rows[0].answer).toMatch(/^\{"status":200/);
  const pending = bob.post("/invitations", { email: anEmailAddress(), role: "admin" });
  await untilWaiting(here.db, 1, pending);
  await demoting.query("commit");
  expectRefusal(await pending, "unauthenticated");
});

test("an acceptance that waits for the inviter's removal is 404 and makes no member", async () => {
  const { ada, bobId, token } = await invited();
  const removing = await begun(here.db, "server");
  const { text, values } = call(ada.key.digest, "remove_member", { userId: bobId });
  expect((await removing.query(text, values)).rows[0].answer).toMatch(/^\{"status":200/);
  const pending = accept(here.api, token);
  await untilWaiting(here.db, 1, pending);
  await removing.query("commit");
  expect((await pending).status).toBe(404);
  expect(await members(ada)).toBe(1);
});

test("acceptance and removal at once end in one order, without a deadlock", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { ada, bobId, token, row } = await invited();
    const [accepted, removed] = await Promise.all([untilAvailable(() => accept(here.api, token)), remove(ada, bobId)]);
    expectAnswer("remove_member", removed);
    const shown = expectAnswer("get_invitation", await ada.get(`/invitations/${row.id}`));
    expect([shown.acceptedAt === null, shown.revokedAt === null]).toEqual(
      accepted.status === 200 ? [false, true] : [true, false],
    );
    expect([200, 404]).toContain(accepted.status);
    expect(await members(ada)).toBe(accepted.status === 200 ? 2 : 1);
  }
});
