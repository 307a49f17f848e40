/** Refusals of invitations and their order. (docs/specification/organisation-and-me.md#payment) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { accept, fillSeats, tokenOf } from "../support/invitations.ts";
import { absent } from "../support/requests.ts";
import { anEmailAddress, expireInvitation, setOrganisation } from "../support/resources.ts";

const here = apiOfFile();

const ask = (ada: Member, email = anEmailAddress()) => ada.post("/invitations", { email });
const invite = async (ada: Member, email?: string) => expectAnswer("create_invitation", await ask(ada, email));
const rows = (ada: Member) =>
  here.db.sql("select * from app.invitations where organisation_id = $1 order by id", [ada.organisation.id]);
const mails = (ada: Member) =>
  here.db.sql("select from app.mails where organisation_id = $1 and kind = 'invitation'", [ada.organisation.id]);

describe("create_invitation for an address in use", () => {
  test("returns conflict for a member, in any spelling of the address", async () => {
    const ada = await here.owner();
    for (const email of [ada.organisation.email, ada.organisation.email.toUpperCase()]) {
      expectRefusal(await ask(ada, email), "conflict");
    }
    const eve = await here.owner();
    expectAnswer("create_invitation", await ask(eve, ada.organisation.email));
    expect(await rows(ada)).toEqual([]);
    expect(await mails(ada)).toEqual([]);
  });

  test("returns conflict for an open invitation, but not for a revoked or expired one", async () => {
    const ada = await here.owner();
    const email = anEmailAddress();
    const first = await invite(ada, email);
    expectRefusal(await ask(ada, email.toUpperCase()), "conflict");
    await ada.delete(`/invitations/${first.id}`);
    const second = await invite(ada, email);
    await expireInvitation(here.db, second.id);
    const third = await invite(ada, email);
    // First an open invitation uses the address, then a member.
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "conflict");
    await accept(here.api, await tokenOf(here.db, third.id));
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "conflict");
    expect(await rows(ada)).toHaveLength(3);
  });

  test("succeeds for a removed member", async () => {
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

describe("Payment for invitations", () => {
  test.each([
    ["has neither a subscription nor a trial", "billing_state = 'none'"],
    ["has an ended trial", "billing_state = 'trial', trial_ends_at = now() - interval '1 second'"],
  ])("An organisation that %s cannot create or resend an invitation until it pays", async (_story, state) => {
    const ada = await here.owner();
    const open = await invite(ada);
    await setOrganisation(here.db, ada, state);
    const before = await rows(ada);
    expectRefusal(await ask(ada), "payment_required");
    expectRefusal(await ada.post(`/invitations/${open.id}/resend`), "payment_required");
    expect(await rows(ada)).toEqual(before);
    expect(await mails(ada)).toHaveLength(1);
    // Revoking frees a seat and needs no payment.
    expectAnswer("revoke_invitation", await ada.delete(`/invitations/${open.id}`));
    await setOrganisation(here.db, ada, "billing_state = 'active'");
    await invite(ada);
  });

  test("create_invitation needs no more than a running trial", async () => {
    const ada = await here.owner("admin", { billing: "trial" });
    await setOrganisation(here.db, ada, "trial_ends_at = now() + interval '1 minute'");
    await invite(ada);
  });

  test("create_invitation beyond the seats bought is payment_required, until a seat is freed", async () => {
    const ada = await here.owner();
    await setOrganisation(here.db, ada, "seats_bought = 3");
    const first = await invite(ada);
    await makeMember(here.db, ada.organisation.id, "member");
    expectRefusal(await ask(ada), "payment_required");
    await ada.delete(`/invitations/${first.id}`);
    const second = await invite(ada);
    await expireInvitation(here.db, second.id);
    const third = await invite(ada);
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "payment_required");
    expectAnswer("resend_invitation", await ada.post(`/invitations/${third.id}/resend`)); // this invitation has its seat already
    await setOrganisation(here.db, ada, "seats_bought = 4");
    expectAnswer("resend_invitation", await ada.post(`/invitations/${second.id}/resend`));
    await setOrganisation(here.db, ada, "seats_bought = null");
    await invite(ada);
  });

  test("Accepting an invitation needs no payment: the invitation holds the seat", async () => {
    const ada = await here.owner();
    const { id } = await invite(ada);
    await setOrganisation(here.db, ada, "billing_state = 'none', seats_bought = 1");
    expect((await accept(here.api, await tokenOf(here.db, id))).status).toBe(200);
    expect((await ada.get("/members")).body.data).toHaveLength(2);
  });
});

describe("Limits of invitations", () => {
  const fill = (ada: Member, count: number) =>
    here.db.sql(
      `insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
       select $1::uuid, format('filler%s@example.test', number), 'member', $2::uuid,
         sha256(format('%s %s', $1::text, number)::bytea)
       from generate_series(1, $3::integer) number`,
      [ada.organisation.id, ada.organisation.ownerId, count],
    );

  test("create_invitation of a 51st open invitation is refused; expired, revoked and accepted ones do not count", async () => {
    const ada = await here.owner();
    await fill(ada, 49);
    const { id } = await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
    await accept(here.api, await tokenOf(here.db, id));
    const next = await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
    await ada.delete(`/invitations/${next.id}`);
    const last = await invite(ada);
    await expireInvitation(here.db, last.id);
    await invite(ada);
    expectRefusal(await ada.post(`/invitations/${last.id}/resend`), "quota_exceeded");
  });

  test("Members and open invitations share 200 seats", async () => {
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
    await setLimits(here.db, ada.organisation.id, { seats: 201 });
    await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
  });

  test("The open-invitation limit that an operator set replaces the default", async () => {
    const ada = await here.owner();
    await setLimits(here.db, ada.organisation.id, { openInvitations: 0 });
    expectRefusal(await ask(ada), "quota_exceeded");
    await setLimits(here.db, ada.organisation.id, { openInvitations: 60 });
    await fill(ada, 59);
    await invite(ada);
    expectRefusal(await ask(ada), "quota_exceeded");
  });
});

describe("Limits of invitation mails", () => {
  /** Marks all mails as sent: unsent ones are withdrawn with their link. */
  const allSent = (ada: Member) =>
    here.db.sql("update app.mails set sent_at = now() where organisation_id = $1", [ada.organisation.id]);
  const later = (ada: Member, minutes: number) =>
    here.db.sql(
      `update app.mails
       set id = (substr(times.least_id(now() - make_interval(mins => $2))::text, 1, 24) || substr(id::text, 25))::uuid
       where organisation_id = $1`,
      [ada.organisation.id, minutes],
    );
  const limits = async (ada: Member) => (await ada.get("/me")).body.limits;

  test("An address gets at most five mails in 24 hours, resent, re-created or in other case", async () => {
    const ada = await here.owner();
    const email = anEmailAddress();
    const first = await invite(ada, email);
    await allSent(ada);
    for (let sent = 1; sent < 4; sent += 1) {
      expectAnswer("resend_invitation", await ada.post(`/invitations/${first.id}/resend`));
      await allSent(ada);
    }
    await ada.delete(`/invitations/${first.id}`);
    const second = await invite(ada, email.toUpperCase());
    await allSent(ada);
    expectRefusal(await ada.post(`/invitations/${second.id}/resend`), "limit_invitations_to_address");
    await ada.delete(`/invitations/${second.id}`);
    expectRefusal(await ask(ada, email), "limit_invitations_to_address");
    expect((await limits(ada)).invitationsPerAddressPerDay).toEqual({ limit: 5, used: 5 });
    await invite(ada);
    await later(ada, 23 * 60);
    expectRefusal(await ask(ada, email), "limit_invitations_to_address");
    await setLimits(here.db, ada.organisation.id, { invitationsPerAddressPerDay: 6 });
    await invite(ada, email);
    await setLimits(here.db, ada.organisation.id, { invitationsPerAddressPerDay: 5 });
    await later(ada, 24 * 60 + 1);
    expect((await limits(ada)).invitationsPerAddressPerDay).toEqual({ limit: 5, used: 0 });
  });

  test("An organisation sends as many mails in an hour as it has seats, revoked ones included, unless an operator raises it", async () => {
    const ada = await here.owner();
    await setLimits(here.db, ada.organisation.id, { seats: 3 });
    expect((await limits(ada)).invitationsPerHour).toEqual({ limit: 3, used: 0 });
    let last = "";
    for (let sent = 0; sent < 3; sent += 1) {
      const { id } = await invite(ada);
      await allSent(ada);
      if (sent < 2) await ada.delete(`/invitations/${id}`);
      last = id;
    }
    const before = await rows(ada);
    expectRefusal(await ask(ada), "limit_invitations_per_hour");
    expectRefusal(await ada.post(`/invitations/${last}/resend`), "limit_invitations_per_hour");
    expect(await rows(ada)).toEqual(before);
    expect((await limits(ada)).invitationsPerHour).toEqual({ limit: 3, used: 3 });
    await setLimits(here.db, ada.organisation.id, { invitationsPerHour: 4 });
    await invite(ada);
    await allSent(ada);
    await ada.delete(`/invitations/${last}`);
    expectRefusal(await ask(ada), "limit_invitations_per_hour");
    await later(ada, 61);
    await invite(ada);
  });
});

describe("The order of refusals", () => {
  test("of create_invitation is kind of organisation, payment, conflict, limit", async () => {
    const ada = await here.owner();
    const { email } = await invite(ada);
    await setOrganisation(here.db, ada, "billing_state = 'none', kind = 'personal'");
    await setLimits(here.db, ada.organisation.id, { openInvitations: 1 });
    expectRefusal(await ask(ada, "no-address"), "invalid_request", ["body.email"]);
    expectRefusal(await ask(ada, email), "forbidden");
    await setOrganisation(here.db, ada, "kind = 'team'");
    expectRefusal(await ask(ada, email), "payment_required");
    await setOrganisation(here.db, ada, "billing_state = 'active', seats_bought = 1");
    expectRefusal(await ask(ada, email), "payment_required");
    await setOrganisation(here.db, ada, "seats_bought = null");
    expectRefusal(await ask(ada, email), "conflict");
    expectRefusal(await ask(ada), "quota_exceeded");
    await setLimits(here.db, ada.organisation.id, { openInvitations: 2 });
    await invite(ada);
  });

  test("of resend_invitation is existence, payment, state", async () => {
    const ada = await here.owner();
    const { id } = await invite(ada);
    await ada.delete(`/invitations/${id}`);
    await setOrganisation(here.db, ada, "billing_state = 'none'");
    const resend = (which: string): Promise<Json> => ada.post(`/invitations/${which}/resend`);
    expectRefusal(await resend(absent), "not_found");
    expectRefusal(await resend(id), "payment_required");
    await setOrganisation(here.db, ada, "billing_state = 'active'");
    expectRefusal(await resend(id), "conflict");
  });
});
