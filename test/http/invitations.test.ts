/** Invitations: create, list, resend, revoke. (docs/specification/invitations.md) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { absent } from "../support/requests.ts";
import { anEmailAddress, expireInvitation } from "../support/resources.ts";

const here = apiOfFile();
const weekMs = 7 * 86_400_000;

const invite = async (ada: Member, more: Json = {}) =>
  expectAnswer("create_invitation", await ada.post("/invitations", { email: anEmailAddress(), ...more }));
const listed = async (ada: Member, status = "") =>
  expectAnswer("list_invitations", await ada.get(`/invitations${status && `?status=${status}`}`)).data;

test("create_invitation defaults to role member and seven days, and names the inviter", async () => {
  const ada = await here.owner();
  const email = anEmailAddress();
  const reply = await ada.post("/invitations", { email });
  const row = expectAnswer("create_invitation", reply);
  expect(reply.status).toBe(201);
  expect(row).toEqual({
    id: expect.any(String),
    email,
    role: "member",
    invitedBy: ada.organisation.ownerId,
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    acceptedAt: null,
    revokedAt: null,
  });
  expect(Math.abs(Date.parse(row.expiresAt) - Date.parse(row.createdAt) - weekMs)).toBeLessThan(2_000);
  expect((await invite(ada, { role: "admin" })).role).toBe("admin");
});

test("create_invitation names the invalid role, address or missing Idempotency-Key", async () => {
  const ada = await here.owner();
  const email = anEmailAddress();
  for (const role of ["owner", "Member", null, 1]) {
    expectRefusal(await ada.post("/invitations", { email, role }), "invalid_request", ["body.role"]);
  }
  for (const wrong of ["bob", "bob@", "@example.test", "a b@example.test", "bob@example.test\n", "", null, 7]) {
    expectRefusal(await ada.post("/invitations", { email: wrong }), "invalid_request", ["body.email"]);
  }
  expectRefusal(await ada.post("/invitations", {}), "invalid_request", ["body.email"]);
  expectRefusal(await ada.post("/invitations", { email }, { idempotencyKey: null }), "invalid_request", [
    "headers.idempotency-key",
  ]);
  expect(await here.db.sql("select from app.invitations where organisation_id = $1", [ada.organisation.id])).toEqual(
    [],
  );
});

test("list_invitations defaults to open ones, filters by status, and pages newest first", async () => {
  const ada = await here.owner();
  const [open, accepted, revoked, expired] = [
    await invite(ada),
    await invite(ada),
    await invite(ada),
    await invite(ada, { role: "admin" }),
  ];
  expect((await accept(here.api, await tokenOf(here.db, accepted.id))).status).toBe(200);
  await ada.delete(`/invitations/${revoked.id}`);
  await expireInvitation(here.db, expired.id);
  const ids = (rows: Json[]) => rows.map((row) => row.id);
  expect(await listed(ada)).toEqual([open]);
  expect(await listed(ada, "open")).toEqual([open]);
  expect(ids(await listed(ada, "accepted"))).toEqual([accepted.id]);
  expect(ids(await listed(ada, "revoked"))).toEqual([revoked.id]);
  expect(ids(await listed(ada, "expired"))).toEqual([expired.id]);
  const all = await listed(ada, "all");
  expect(ids(all)).toEqual([expired.id, revoked.id, accepted.id, open.id]);
  expect(all.map((row: Json) => [row.acceptedAt !== null, row.revokedAt !== null])).toEqual([
    [false, false],
    [false, true],
    [true, false],
    [false, false],
  ]);
  const first = expectAnswer("list_invitations", await ada.get("/invitations?status=all&limit=3"));
  expect(ids(first.data)).toEqual(ids(all).slice(0, 3));
  const rest = await ada.get(`/invitations?status=all&limit=3&cursor=${first.nextCursor}`);
  expect(ids(expectAnswer("list_invitations", rest).data)).toEqual([open.id]);
  for (const status of ["closed", "", "Open"]) {
    expectRefusal(await ada.get(`/invitations?status=${status}`), "invalid_request", ["query.status"]);
  }
});

test("A read key lists invitations; a write key cannot create, resend or revoke one", async () => {
  const ada = await here.owner();
  const row = await invite(ada);
  const reader = await here.another(ada, "read");
  expect(await listed(reader)).toEqual([row]);
  const writer = await here.another(ada, "write");
  expectRefusal(await writer.post("/invitations", { email: anEmailAddress() }), "unauthenticated");
  expectRefusal(await writer.post(`/invitations/${row.id}/resend`), "unauthenticated");
  expectRefusal(await writer.delete(`/invitations/${row.id}`), "unauthenticated");
  expect(await listed(ada, "all")).toEqual([row]);
});

test("An admin may invite admins, and an accepted invitation gives the role it names", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  for (const role of ["admin", "member"]) {
    const row = await invite(bob, { role });
    expect((await accept(here.api, await tokenOf(here.db, row.id), "Grace")).status).toBe(200);
    const member = (await ada.get("/members?limit=1")).body.data[0];
    expect(member).toMatchObject({ email: row.email, role, displayName: "Grace" });
    expect((await listed(ada, "accepted"))[0]).toMatchObject({ id: row.id, acceptedAt: expect.any(String) });
  }
});

test("resend_invitation renews the seven days and the link, and the old link is a 404", async () => {
  const ada = await here.owner();
  const row = await invite(ada);
  const old = await tokenOf(here.db, row.id);
  await here.db.sql("update app.invitations set expires_at = now() + interval '1 hour' where id = $1", [row.id]);
  const again = expectAnswer("resend_invitation", await ada.post(`/invitations/${row.id}/resend`));
  expect(again).toEqual({ ...row, expiresAt: expect.any(String) });
  expect(Math.abs(Date.parse(again.expiresAt) - Date.now() - weekMs)).toBeLessThan(10_000);
  expect((await accept(here.api, old)).status).toBe(404);
  expect(await listed(ada, "accepted")).toEqual([]);
  const token = await tokenOf(here.db, row.id);
  expect(token).not.toBe(old);
  expect((await accept(here.api, token)).status).toBe(200);
});

test("resend_invitation reopens an expired invitation and takes its seat again", async () => {
  const ada = await here.owner();
  const row = await invite(ada);
  const open = async () => (await ada.get("/organisation")).body.seats.openInvitations;
  expect(await open()).toBe(1);
  await expireInvitation(here.db, row.id);
  expect(await open()).toBe(0);
  expectAnswer("resend_invitation", await ada.post(`/invitations/${row.id}/resend`));
  expect(await open()).toBe(1);
  expect((await listed(ada)).map(({ id }: Json) => id)).toEqual([row.id]);
});

test("revoke_invitation ends the link and returns the row, the second time unchanged", async () => {
  const ada = await here.owner();
  const row = await invite(ada);
  const token = await tokenOf(here.db, row.id);
  const revoked = expectAnswer("revoke_invitation", await ada.delete(`/invitations/${row.id}`));
  expect(revoked).toEqual({ ...row, revokedAt: expect.any(String) });
  expect(expectAnswer("revoke_invitation", await ada.delete(`/invitations/${row.id}`))).toEqual(revoked);
  expect((await accept(here.api, token)).html).toContain("was revoked");
  expect((await ada.get("/members")).body.data).toHaveLength(1);
  const expired = await invite(ada);
  await expireInvitation(here.db, expired.id);
  expect(expectAnswer("revoke_invitation", await ada.delete(`/invitations/${expired.id}`)).revokedAt).not.toBeNull();
});

test("An accepted invitation can be neither resent nor revoked, and a revoked one not resent", async () => {
  const ada = await here.owner();
  const [accepted, revoked] = [await invite(ada), await invite(ada)];
  await accept(here.api, await tokenOf(here.db, accepted.id));
  await ada.delete(`/invitations/${revoked.id}`);
  const before = await listed(ada, "all");
  expectRefusal(await ada.post(`/invitations/${accepted.id}/resend`), "conflict");
  expectRefusal(await ada.delete(`/invitations/${accepted.id}`), "conflict");
  expectRefusal(await ada.post(`/invitations/${revoked.id}/resend`), "conflict");
  expect(await listed(ada, "all")).toEqual(before);
  expect(before.map((row: Json) => [row.id, row.acceptedAt !== null])).toEqual([
    [revoked.id, false],
    [accepted.id, true],
  ]);
  // The address of a revoked invitation can be invited again.
  expectAnswer("create_invitation", await ada.post("/invitations", { email: revoked.email }));
});

test("In a personal organisation every invitation operation is forbidden", async () => {
  const ada = await here.owner("admin", { kind: "personal" });
  expectRefusal(await ada.get("/invitations"), "forbidden");
  expectRefusal(await ada.post("/invitations", { email: anEmailAddress() }), "forbidden");
  expectRefusal(await ada.post(`/invitations/${absent}/resend`), "forbidden");
  expectRefusal(await ada.delete(`/invitations/${absent}`), "forbidden");
  expect(await here.db.sql("select from app.invitations where organisation_id = $1", [ada.organisation.id])).toEqual(
    [],
  );
});

test("A person invited by two organisations belongs to both and keeps the first display name", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const email = anEmailAddress();
  const [first, second] = [await invite(ada, { email }), await invite(eve, { email: email.toUpperCase() })];
  await accept(here.api, await tokenOf(here.db, first.id), "Grace");
  await accept(here.api, await tokenOf(here.db, second.id), "Someone Else");
  const newest = async (of: Member) => (await of.get("/members?limit=1")).body.data[0];
  expect(await newest(ada)).toMatchObject({ email, displayName: "Grace" });
  expect(await newest(eve)).toMatchObject({ userId: (await newest(ada)).userId, email, displayName: "Grace" });
});
