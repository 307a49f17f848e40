/** Portal sessions: the cookie acts as the person, within the session's bounds. (docs/specification/portal.md) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { call } from "../support/bot-writers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { portalSessionsOf } from "../support/portal-session.ts";
import { begun, untilWaiting } from "../support/transactions.ts";

const here = apiOfFile();
const { aLink, aSession, as, enter } = portalSessionsOf(here);

test("a link opens a session as its person, who can call operations and end the session", async () => {
  const ada = await here.owner();
  const session = await aSession(ada, { returnUrl: "https://app.example.com/" });
  const own = await as(session, "/portal-session");
  expect(own.body).toMatchObject({
    id: session.id,
    organisation: { id: ada.organisation.id },
    person: { id: ada.organisation.ownerId },
    role: "owner",
    returnUrl: "https://app.example.com/",
  });
  expect(Object.keys(own.body.operations).toSorted()).toEqual([
    "approvals",
    "audit",
    "bots",
    "endpoints",
    "events",
    "hooks",
    "keys",
    "members",
    "memories",
    "overview",
    "routines",
    "runs",
  ]);
  const bot = await as(session, "/bots", { method: "POST", body: { name: "Elephant" } });
  expect(bot.status).toBe(201);
  const [entry] = await here.db.sql(
    "select actor, person_id, key_id from app.audit_log where organisation_id = $1 and resource = 'bot'",
    [ada.organisation.id],
  );
  expect(entry).toEqual({ actor: "portal_session", person_id: ada.organisation.ownerId, key_id: session.id });
  expect((await as(session, "/portal-session", { method: "DELETE" })).body).toEqual({ id: session.id, deleted: true });
  expectRefusal(await as(session, "/bots"), "unauthenticated");
});

test("opening a session writes one entry to the audit log, and ending it another", async () => {
  const ada = await here.owner();
  const session = await aSession(ada);
  const entries = async () =>
    (await ada.get("/audit?resource=portal_session")).body.data.map(({ action }: { action: string }) => action);
  expect(await entries()).toEqual(["created"]);
  await as(session, "/portal-session", { method: "DELETE" });
  expect(await entries()).toEqual(["updated", "created"]);
});

test.each([
  ["expired", (id: string) => here.db.sql("update app.portal_sessions set expires_at = now() where id = $1", [id])],
  ["revoked", (id: string) => here.db.sql("update app.portal_sessions set revoked_at = now() where id = $1", [id])],
])("a session that is %s is unauthenticated at the next call", async (_name, end) => {
  const session = await aSession(await here.owner());
  expect((await as(session, "/bots")).status).toBe(200);
  await end(session.id);
  expectRefusal(await as(session, "/bots"), "unauthenticated");
  expectRefusal(await as(session, "/portal-session"), "unauthenticated");
});

test("revoke_portal_session ends the session; revoking twice returns the first revokedAt", async () => {
  const ada = await here.owner();
  const session = await aSession(ada);
  const revoked = expectAnswer("revoke_portal_session", await ada.delete(`/portal-sessions/${session.id}`));
  expectRefusal(await as(session, "/bots"), "unauthenticated");
  expect(expectAnswer("revoke_portal_session", await ada.delete(`/portal-sessions/${session.id}`))).toEqual(revoked);
});

test("the session of a removed member ends, and its role changes with the member's", async () => {
  const ada = await here.owner();
  const bea = await makeMember(here.db, ada.organisation.id, "admin");
  const session = await aSession(ada, { personId: bea });
  expect((await as(session, "/keys")).status).toBe(200);
  expectAnswer("change_member", await ada.patch(`/members/${bea}`, { role: "member" }));
  expectRefusal(await as(session, "/keys"), "outside_portal_session");
  expect((await as(session, "/portal-session")).body.role).toBe("member");
  expectAnswer("remove_member", await ada.delete(`/members/${bea}`));
  expectRefusal(await as(session, "/bots"), "unauthenticated");
});

test("the sessions of a suspended organisation are refused", async () => {
  const ada = await here.owner();
  const session = await aSession(ada);
  await here.db.sql("update app.organisations set suspended_at = now() where id = $1", [ada.organisation.id]);
  expectRefusal(await as(session, "/bots"), "organisation_suspended");
});

test("a write without the CSRF token is forbidden and changes nothing; a read needs none", async () => {
  const ada = await here.owner();
  const session = await aSession(ada);
  const other = await aSession(ada);
  for (const csrf of ["", "guess", other.csrf]) {
    expectRefusal(await as(session, "/bots", { method: "POST", body: { name: "Forged" }, csrf }), "csrf_token_missing");
    expectRefusal(await as(session, "/portal-session", { method: "DELETE", csrf }), "csrf_token_missing");
  }
  expect((await as(session, "/bots")).body.data).toEqual([]);
});

test("a session is no bearer token, a key is no cookie, and a bearer token wins over a cookie", async () => {
  const ada = await here.owner();
  const session = await aSession(ada);
  const text = session.cookie.split("=")[1] ?? "";
  expectRefusal(
    await as({ ...session, cookie: "" }, "/bots", { headers: { authorization: `Bearer ${text}` } }),
    "unauthenticated",
  );
  expectRefusal(await as({ ...session, cookie: `botstead-portal=${ada.key.text}` }, "/bots"), "unauthenticated");
  expectRefusal(await as(session, "/bots", { headers: { authorization: "Bearer bsk_wrong" } }), "unauthenticated");
  expect((await as(session, "/me", { headers: { authorization: `Bearer ${ada.key.text}` } })).status).toBe(200);
});

test("a session reaches its sections only, and never batches, /me or portal sessions", async () => {
  const ada = await here.owner();
  const session = await aSession(ada, { sections: ["bots"] });
  expect((await as(session, "/bots")).status).toBe(200);
  expect(Object.keys((await as(session, "/portal-session")).body.operations)).toEqual(["bots"]);
  for (const path of ["/keys", "/runs", "/members", "/webhooks", "/events", "/audit", "/me", "/portal-sessions"]) {
    expectRefusal(await as(session, path), "outside_portal_session");
  }
  const whole = await aSession(ada);
  const batch = { operations: [{ id: "1", method: "GET", path: "/bots" }] };
  expectRefusal(await as(whole, "/batch", { method: "POST", body: batch }), "outside_portal_session");
  expectRefusal(await as(whole, "/portal-sessions", { method: "POST", body: {} }), "outside_portal_session");
});

test("a read-only session reads everything of its role and writes nothing but its end", async () => {
  const ada = await here.owner();
  const session = await aSession(ada);
  await here.db.sql("update app.portal_sessions set read_only = true where id = $1", [session.id]);
  expect((await as(session, "/keys")).status).toBe(200);
  expectRefusal(await as(session, "/bots", { method: "POST", body: { name: "Elephant" } }), "outside_portal_session");
  const { operations } = (await as(session, "/portal-session")).body as { operations: Record<string, string[]> };
  expect(operations.bots).toEqual(["get_bot", "list_bots", "list_models"]);
  expect((await as(session, "/portal-session", { method: "DELETE" })).status).toBe(200);
});

test("maintenance deletes sessions one day after their end", async () => {
  const ada = await here.owner();
  const [old, recent] = [await aLink(ada), await aLink(ada)];
  await here.db.sql("update app.portal_sessions set expires_at = now() - interval '25 hours' where id = $1", [old.id]);
  await here.db.sql("update app.portal_sessions set expires_at = now() - interval '23 hours' where id = $1", [
    recent.id,
  ]);
  await here.db.sql("select jobs.delete_old_portal_sessions()");
  const left = await here.db.sql<{ id: string }>("select id from app.portal_sessions where organisation_id = $1", [
    ada.organisation.id,
  ]);
  expect(left.map(({ id }) => id)).toEqual([recent.id]);
});

test("a session reaches no more than the present role of its creator, and ends when that person is no admin", async () => {
  const ada = await here.owner();
  const bea = await makeMember(here.db, ada.organisation.id, "admin");
  const max = await makeMember(here.db, ada.organisation.id, "member");
  const session = await aSession(await here.another(ada, "admin", bea), { personId: max });
  await here.db.sql("update app.memberships set role = 'owner' where organisation_id = $1 and person_id = $2", [
    ada.organisation.id,
    max,
  ]);
  expect((await as(session, "/portal-session")).body.role).toBe("admin");
  expectAnswer("change_member", await ada.patch(`/members/${bea}`, { role: "member" }));
  expectRefusal(await as(session, "/bots"), "unauthenticated");
});

test("sessions and links stay ended when their creator is an admin again, and sessions of others continue", async () => {
  const ada = await here.owner();
  const bea = await makeMember(here.db, ada.organisation.id, "admin");
  const creator = await here.another(ada, "admin", bea);
  const [session, link, other] = [await aSession(creator), await aLink(creator), await aSession(ada)];
  for (const role of ["member", "admin"]) {
    expectAnswer("change_member", await ada.patch(`/members/${bea}`, { role }));
    expectRefusal(await as(session, "/bots"), "unauthenticated");
    expect((await enter(link)).status).toBe(401);
  }
  for (const { id } of [session, link]) {
    const { revokedAt } = expectAnswer("get_portal_session", await ada.get(`/portal-sessions/${id}`));
    expect(revokedAt).not.toBeNull();
  }
  expect((await as(other, "/bots")).status).toBe(200);
});

test("a session during the uncommitted demotion of its creator is refused", async () => {
  const ada = await here.owner();
  const bea = await makeMember(here.db, ada.organisation.id, "admin");
  const creator = await here.another(ada, "admin", bea);
  const demoting = await begun(here.db, "server");
  const { text, values } = call(ada.key.digest, "change_member", { userId: bea, role: "member" });
  expect((await demoting.query(text, values)).rows[0].answer).toMatch(/^\{"status":200/);
  const pending = creator.post("/portal-sessions", {});
  await untilWaiting(here.db, 1, pending);
  await demoting.query("commit");
  expectRefusal(await pending, "unauthenticated");
});

test.each([
  ["is revoked", "revoked_at = now()"],
  ["expires", "expires_at = now()"],
])("a session ends, and its unused link opens nothing, when the key that opened it %s", async (_name, change) => {
  const ada = await here.owner();
  const session = await aSession(ada);
  const link = await aLink(ada);
  await here.db.sql(`update app.api_keys set ${change} where id = $1`, [ada.key.id]);
  expectRefusal(await as(session, "/bots"), "unauthenticated");
  expect((await enter(link)).status).toBe(401);
});
