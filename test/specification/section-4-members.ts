import { randomUUID } from "node:crypto";
import { eventually } from "../support/worker.ts";
import { countsOf, expectRefused, expectSuccess, manyTimes } from "./client.ts";
import { aMember, anEmail, anOrganisation, another, keyOf, mailedLink, setBilling, setLimit } from "./service.ts";
import { specifies } from "./specified.ts";

const invite = () => ({ email: anEmail() });

specifies("4-members-role", async () => {
  const ours = await anOrganisation();
  const { userId } = await aMember(ours, "member");
  for (const role of ["admin", "owner", "member"]) {
    expect(expectSuccess(await ours.patch(`/members/${userId}`, { role }))).toMatchObject({ userId, role });
    expect(expectSuccess(await ours.get(`/members/${userId}`)).role).toBe(role);
  }
  for (const role of ["guest", "", null]) {
    expectRefused(await ours.patch(`/members/${userId}`, { role }), 400, "invalid_request", ["body.role"]);
  }
  expectRefused(await ours.patch(`/members/${randomUUID()}`, { role: "admin" }), 404, "not_found");
});

specifies("4-members-last-owner", async () => {
  const ours = await anOrganisation();
  for (const role of ["admin", "member"]) {
    expectRefused(await ours.patch(`/members/${ours.ownerId}`, { role }), 403, "forbidden");
  }
  expect(expectSuccess(await ours.get(`/members/${ours.ownerId}`)).role).toBe("owner");
});

specifies("4-members-last-owner-concurrent", async () => {
  const ours = await anOrganisation();
  const { userId } = await aMember(ours, "admin");
  expectSuccess(await ours.patch(`/members/${userId}`, { role: "owner" }));
  const theirs = await keyOf(ours, userId);
  await Promise.all([
    ours.patch(`/members/${ours.ownerId}`, { role: "admin" }),
    theirs.patch(`/members/${userId}`, { role: "admin" }),
  ]);
  const roles = expectSuccess(await ours.get("/members")).data.map(({ role }: { role: string }) => role);
  expect(roles.sort()).toEqual(["admin", "owner"]);
});

specifies("4-members-remove", async () => {
  const ours = await anOrganisation();
  const { userId } = await aMember(ours, "member");
  expectRefused(await ours.delete(`/members/${ours.ownerId}`), 403, "forbidden");
  expect(expectSuccess(await ours.delete(`/members/${userId}`))).toEqual({ id: userId, deleted: true });
  expectRefused(await ours.get(`/members/${userId}`), 404, "not_found");
  expectRefused(await ours.delete(`/members/${userId}`), 404, "not_found");
  expect(expectSuccess(await ours.get("/members")).data).toHaveLength(1);
});

specifies("4-members-application-roles", async () => {
  const ours = await anOrganisation();
  const [admin, member] = [await aMember(ours, "admin"), await aMember(ours, "member")];
  const theirs = await keyOf(ours, admin.userId);
  for (const role of ["member", "admin", "owner"]) {
    expectRefused(await theirs.patch(`/members/${ours.ownerId}`, { role }), 403, "forbidden");
  }
  expectRefused(await theirs.delete(`/members/${ours.ownerId}`), 403, "forbidden");
  for (const { userId } of [admin, member]) {
    expectRefused(await theirs.patch(`/members/${userId}`, { role: "owner" }), 403, "forbidden");
  }
  const roles = expectSuccess(await ours.get("/members")).data.map(({ role }: { role: string }) => role);
  expect(roles.sort()).toEqual(["admin", "member", "owner"]);
  expectSuccess(await theirs.patch(`/members/${member.userId}`, { role: "admin" }));
});

specifies("4-members-personal", async () => {
  const ours = await anOrganisation({ kind: "personal" });
  const id = randomUUID();
  for (const answer of [
    await ours.get("/members"),
    await ours.get(`/members/${ours.ownerId}`),
    await ours.patch(`/members/${ours.ownerId}`, { role: "owner" }),
    await ours.delete(`/members/${ours.ownerId}`),
    await ours.get("/invitations"),
    await ours.post("/invitations", invite()),
    await ours.delete(`/invitations/${id}`),
  ]) {
    expectRefused(answer, 403, "forbidden");
  }
});

specifies("4-members-scopes", async () => {
  const ours = await anOrganisation();
  const { id } = expectSuccess(await ours.post("/invitations", invite()), 201);
  for (const scope of ["read", "write"] as const) {
    const other = await another(ours, scope);
    for (const path of ["/members", `/members/${ours.ownerId}`, "/invitations"]) expectSuccess(await other.get(path));
    expectRefused(await other.patch(`/members/${ours.ownerId}`, { role: "owner" }), 401, "unauthenticated");
    expectRefused(await other.delete(`/members/${ours.ownerId}`), 401, "unauthenticated");
    expectRefused(await other.post("/invitations", invite()), 401, "unauthenticated");
    expectRefused(await other.delete(`/invitations/${id}`), 401, "unauthenticated");
  }
});

specifies("4-invitations-email", async () => {
  const ours = await anOrganisation();
  for (const email of ["r&d@example.com", "o'neil@example.com", "a=b@example.com"]) {
    expect(expectSuccess(await ours.post("/invitations", { email }), 201).email).toBe(email);
  }
  for (const email of ["nonsense", "@example.com", "a@", "a b@example.com", "a@-example.com", "a@exa_mple..com", ""]) {
    expectRefused(await ours.post("/invitations", { email }), 400, "invalid_request", ["body.email"]);
  }
  const refused = await ours.post("/invitations", { ...invite(), role: "owner" });
  expectRefused(refused, 400, "invalid_request", ["body.role"]);
});

specifies("4-invitations-role", async () => {
  const ours = await anOrganisation();
  expect(expectSuccess(await ours.post("/invitations", invite()), 201).role).toBe("member");
  expect(expectSuccess(await ours.post("/invitations", { ...invite(), role: "admin" }), 201).role).toBe("admin");
});

specifies("4-invitations-revoke", async () => {
  const ours = await anOrganisation();
  const { id } = expectSuccess(await ours.post("/invitations", invite()), 201);
  const { revokedAt } = expectSuccess(await ours.delete(`/invitations/${id}`));
  expect(revokedAt).not.toBeNull();
  expect(expectSuccess(await ours.delete(`/invitations/${id}`)).revokedAt).toBe(revokedAt);
  expect(expectSuccess(await ours.get("/invitations")).data).toEqual([]);
  expect(expectSuccess(await ours.get("/invitations?status=revoked")).data).toMatchObject([{ id }]);
  expectRefused(await ours.delete(`/invitations/${randomUUID()}`), 404, "not_found");
});

specifies("4-invitations-conflict", async () => {
  const ours = await anOrganisation();
  const { email } = expectSuccess(await ours.post("/invitations", invite()), 201);
  for (const taken of [email, email.toUpperCase(), ours.email, ours.email.toUpperCase()]) {
    expectRefused(await ours.post("/invitations", { email: taken }), 409, "conflict");
  }
});

specifies("4-invitations-limit", async () => {
  const ours = await anOrganisation();
  const answers = await manyTimes(53, () => ours.post("/invitations", invite()));
  expect(countsOf(answers)).toEqual({ 201: 50, 429: 3 });
  for (const answer of answers.filter(({ status }) => status === 429)) expectRefused(answer, 429, "quota_exceeded");
  expect(expectSuccess(await ours.get("/invitations?limit=200")).data).toHaveLength(50);
  await setLimit(ours, "openInvitations", 51);
  expectSuccess(await ours.post("/invitations", invite()), 201);
  expectRefused(await ours.post("/invitations", invite()), 429, "quota_exceeded");
});

specifies("4-invitations-seats", async () => {
  const ours = await anOrganisation();
  await setLimit(ours, "openInvitations", 500);
  const answers = await manyTimes(202, () => ours.post("/invitations", invite()));
  expect(countsOf(answers)).toEqual({ 201: 199, 429: 3 }); // beside the owner
  for (const answer of answers.filter(({ status }) => status === 429)) expectRefused(answer, 429, "quota_exceeded");
  await setLimit(ours, "seats", 201);
  expectSuccess(await ours.post("/invitations", invite()), 201);
  expectRefused(await ours.post("/invitations", invite()), 429, "quota_exceeded");
});

specifies("4-invitations-payment", async () => {
  const ours = await anOrganisation();
  await setBilling(ours, "none");
  expectRefused(await ours.post("/invitations", invite()), 402, "payment_required");
  await setBilling(ours, "active", 2);
  expectSuccess(await ours.post("/invitations", invite()), 201);
  expectRefused(await ours.post("/invitations", invite()), 402, "payment_required");
  expect(expectSuccess(await ours.get("/invitations")).data).toHaveLength(1);
});

specifies("4-invitations-resend", async () => {
  const ours = await anOrganisation();
  const { id, email } = expectSuccess(await ours.post("/invitations", invite()), 201);
  const first = await mailedLink(email);
  expect(expectSuccess(await ours.post(`/invitations/${id}/resend`)).id).toBe(id);
  await eventually(async () => (await mailedLink(email)) !== first);
  expect((await fetch(first)).status).not.toBe(200);
  expect((await fetch(await mailedLink(email))).status).toBe(200);
});
