/** What refuses an invitation, and which refusal wins. (Part 7; part 8; decisions: "Seats and payment".) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { accept, fillSeats, tokenOf } from "../support/invitations.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

let made = 0;
const address = () => `guest${++made}.refused.${process.pid}@example.test`;
const ask = (ada: Member, email = address()) => ada.post("/invitations", { email });
const invite = async (ada: Member, email?: string) => expectAnswer("create_invitation", await ask(ada, email));
const set = (ada: Member, what: string) =>
  here.db.sql(`update app.organisations set ${what} where id = $1`, [ada.organisation.id]);
const expire = (id: string) =>
  here.db.sql("update app.invitations set expires_at = now() - interval '1 minute' where id = $1", [id]);
const rows = (ada: Member) =>
  here.db.sql("select * from app.invitations where organisation_id = $1 order by id", [ada.organisation.id]);
const mails = (ada: Member) =>
  here.db.sql("select from app.mails where organisation_id = $1 and kind = 'invitation'", [ada.organisation.id]);

describe("an address that has its place", () => {
  test("a member is not invited, however the address is spelled", async () => {
    const ada = await here.owner();
    for (const email of [ada.organisation.email, ada.organisation.email.toUpperCase()]) {
      expectRefusal(await ask(ada, email), "conflict");
    }
    const eve = await here.owner();
    expectAnswer("create_invitation", await ask(eve, ada.organisation.email));
    expect(await rows(ada)).toEqual([]);
    expect(await mails(ada)).toEqual([]);
  });

  test("a live invitation holds its address; revoked or expired it lets go", async () => {
    const ada = await here.owner();
    const email = address();
    const first = await invite(ada, email);
    expectRefusal(await ask(ada, email.toUpperCase()), "conflict");
    await ada.delete(`/invitations/${first.id}`);
    const second = await invite(ada, email);
    await expire(second.id);
    const third = await invite(ada, email);
    // The place is taken by now: by an open one, and then by a member.
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "conflict");
    await accept(here.api, await tokenOf(here.db, third.id));
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "conflict");
    expect(await rows(ada)).toHaveLength(3);
  });

  test("who was removed can be invited again", async () => {
    const ada = await here.owner();
    const { id, email } = await invite(ada);
    await accept(here.api, await tokenOf(here.db, id));
    expectRefusal(await ask(ada, email), "conflict");
    const { userId } = (await ada.get("/members?limit=1")).body.data[0];
    await ada.delete(`/members/${userId}`);
    const again = await invite(ada, email);
    await accept(here.api, await tokenOf(here.db, again.id));
    expect((await ada.get("/members?limit=1")).body.data[0]).toMatchObject({ userId, email });
  });
});

describe("payment", () => {
  test.each([
    ["neither pays nor tries", "billing_state = 'none'"],
    ["has tried for long enough", "billing_state = 'trial', trial_ends_at = now() - interval '1 second'"],
  ])("an organisation that %s invites nobody, and nobody again, until it pays", async (_story, state) => {
    const ada = await here.owner();
    const open = await invite(ada);
    await set(ada, state);
    const before = await rows(ada);
    expectRefusal(await ask(ada), "payment_required");
    expectRefusal(await ada.post(`/invitations/${open.id}/resend`), "payment_required");
    expect(await rows(ada)).toEqual(before);
    expect(await mails(ada)).toHaveLength(1);
    // What ends a seat asks for nothing.
    expectAnswer("revoke_invitation", await ada.delete(`/invitations/${open.id}`));
    await set(ada, "billing_state = 'active'");
    await invite(ada);
  });

  test("a trial that lasts is enough", async () => {
    const ada = await here.owner("admin", { billing: "trial" });
    await set(ada, "trial_ends_at = now() + interval '1 minute'");
    await invite(ada);
  });

  test("a seat beyond those bought is a payment, and one that is let go makes room", async () => {
    const ada = await here.owner();
    await set(ada, "seats_bought = 3");
    const first = await invite(ada);
    await makeMember(here.db, ada.organisation.id, "member");
    expectRefusal(await ask(ada), "payment_required");
    await ada.delete(`/invitations/${first.id}`);
    const second = await invite(ada);
    await expire(second.id);
    const third = await invite(ada);
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "payment_required");
    expectAnswer("resend_invitation", await ada.post(`/invitations/${third.id}/resend`)); // it has its seat
    await set(ada, "seats_bought = 4");
    expectAnswer("resend_invitation", await ada.post(`/invitations/${second.id}/resend`));
    await set(ada, "seats_bought = null");
    await invite(ada);
  });

  test("who was invited takes their seat though the organisation has stopped paying: it was theirs", async () => {
    const ada = await here.owner();
    const { id } = await invite(ada);
    await set(ada, "billing_state = 'none', seats_bought = 1");
    expect((await accept(here.api, await tokenOf(here.db, id))).status).toBe(200);
    expect((await ada.get("/members")).body.data).toHaveLength(2);
  });
});

describe("ceilings", () => {
  const fill = (ada: Member, count: number) =>
    here.db.sql(
      `insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
       select $1::uuid, format('filler%s@example.test', number), 'member', $2::uuid,
         sha256(format('%s %s', $1::text, number)::bytea)
       from generate_series(1, $3::integer) number`,
      [ada.organisation.id, ada.organisation.ownerId, count],
    );

  test("the fifty-first open invitation is refused; an expired, revoked or accepted one makes room", async () => {
    const ada = await here.owner();
    await fill(ada, 49);
    const { id } = await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
    await accept(here.api, await tokenOf(here.db, id));
    const next = await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
    await ada.delete(`/invitations/${next.id}`);
    const last = await invite(ada);
    await expire(last.id);
    await invite(ada);
    expectRefusal(await ada.post(`/invitations/${last.id}/resend`), "quota_exceeded");
  });

  test("members and open invitations share two hundred seats", async () => {
    const ada = await here.owner();
    await fillSeats(here.db, ada.organisation.id, 198);
    const { id } = await invite(ada);
    expect((await ada.get("/organisation")).body.seats).toEqual({
      limit: 200,
      bought: null,
      members: 199,
      openInvitations: 1,
    });
    expectRefusal(await ask(ada), "quota_exceeded");
    await accept(here.api, await tokenOf(here.db, id));
    expectRefusal(await ask(ada), "quota_exceeded");
    await set(ada, "seat_ceiling = 201");
    await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
  });

  test("what an operator raised or lowered holds in place of the usual", async () => {
    const ada = await here.owner();
    await set(ada, "open_invitation_ceiling = 0");
    expectRefusal(await ask(ada), "quota_exceeded");
    await set(ada, "open_invitation_ceiling = 60");
    await fill(ada, 59);
    await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
  });
});

describe("mails within an hour", () => {
  /** What is not sent yet is withdrawn when its link ends. */
  const allSent = (ada: Member) =>
    here.db.sql("update app.mails set sent_at = now() where organisation_id = $1", [ada.organisation.id]);
  const anHourLater = (ada: Member) =>
    here.db.sql(
      `update app.mails
       set id = (substr(jobs.least_id(now() - interval '61 minutes')::text, 1, 24) || substr(id::text, 25))::uuid
       where organisation_id = $1`,
      [ada.organisation.id],
    );

  test("an address is written to five times, in whatever way and case", async () => {
    const ada = await here.owner();
    const email = address();
    const first = await invite(ada, email);
    await allSent(ada);
    for (let sent = 1; sent < 4; sent += 1) {
      expectAnswer("resend_invitation", await ada.post(`/invitations/${first.id}/resend`));
      await allSent(ada);
    }
    await ada.delete(`/invitations/${first.id}`);
    const second = await invite(ada, email.toUpperCase());
    await allSent(ada);
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "quota_exceeded");
    await ada.delete(`/invitations/${second.id}`);
    expectRefusal(await ask(ada, email), "quota_exceeded");
    await invite(ada);
    await anHourLater(ada);
    await invite(ada, email);
  });

  test("twice as many are sent as may be open, however many are revoked", async () => {
    const ada = await here.owner();
    await set(ada, "open_invitation_ceiling = 3");
    for (let sent = 0; sent < 6; sent += 1) {
      const { id } = await invite(ada);
      await allSent(ada);
      await ada.delete(`/invitations/${id}`);
    }
    const before = await rows(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
    expect(await rows(ada)).toEqual(before);
    await anHourLater(ada);
    await invite(ada);
  });
});

describe("which refusal wins", () => {
  test("the organisation's kind, payment, conflict, ceiling: in this order", async () => {
    const ada = await here.owner();
    const { email } = await invite(ada);
    await set(ada, "open_invitation_ceiling = 1, billing_state = 'none', kind = 'personal'");
    expectRefusal(await ask(ada, "nobody"), "invalid_request", ["body.email"]);
    expectRefusal(await ask(ada, email), "forbidden");
    await set(ada, "kind = 'team'");
    expectRefusal(await ask(ada, email), "payment_required");
    await set(ada, "billing_state = 'active', seats_bought = 1");
    expectRefusal(await ask(ada, email), "payment_required");
    await set(ada, "seats_bought = null");
    expectRefusal(await ask(ada, email), "conflict");
    expectRefusal(await ask(ada), "quota_exceeded");
    await set(ada, "open_invitation_ceiling = 2");
    await invite(ada);
  });

  test("for one that is sent again: whether it is there, payment, its state", async () => {
    const ada = await here.owner();
    const { id } = await invite(ada);
    await ada.delete(`/invitations/${id}`);
    await set(ada, "billing_state = 'none'");
    const resend = (which: string): Promise<Json> => ada.post(`/invitations/${which}/resend`);
    expectRefusal(await resend(absent), "not_found");
    expectRefusal(await resend(id), "payment_required");
    await set(ada, "billing_state = 'active'");
    expectRefusal(await resend(id), "conflict");
  });
});
