/** Portal sessions: the link opens one session once, the cookie acts as the person. (docs/specification/portal.md) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { callAs, openSession, type PortalSession, enter as use } from "../support/portal-session.ts";

const here = apiOfFile();

type Session = PortalSession & { id: string };
type Link = { id: string; url: string };

const enter = ({ url }: Link) => use(here.api.url, url);

const aLink = async (ada: Member, body: object = {}): Promise<Link> =>
  expectAnswer("create_portal_session", await ada.post("/portal-sessions", body));

async function aSession(ada: Member, body: object = {}): Promise<Session> {
  const link = await aLink(ada, body);
  return { id: link.id, ...(await openSession(here.api.url, link.url)) };
}

const as = (session: PortalSession, ...call: Call) => callAs(here.api.url, session, ...call);
type Call = Parameters<typeof callAs> extends [string, PortalSession, ...infer Rest] ? Rest : never;

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

test("a link works once: of 10 concurrent exchanges one succeeds", async () => {
  const ada = await here.owner();
  const link = await aLink(ada);
  const responses = await Promise.all(Array.from({ length: 10 }, () => enter(link)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)]);
  expect((await enter(link)).status).toBe(401);
});

test("each exchange makes a new cookie: HttpOnly, SameSite=Strict, whole site, ends with the session", async () => {
  const ada = await here.owner();
  const before = await enter(await aLink(ada, { expiresInMinutes: 30 }));
  const after = await enter(await aLink(ada));
  const [first, second] = [before, after].map((response) => response.headers.get("set-cookie") ?? "");
  expect(first).toMatch(/^botstead-portal=bsx_[0-9A-Za-z]{49}; Max-Age=1[78]\d\d; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(second?.split(";")[0]).not.toBe(first?.split(";")[0]);
});

test("a link used in a browser with another's cookie replaces it, and the other stays outside (session fixation)", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const planted = await aSession(eve);
  const entered = await use(here.api.url, (await aLink(ada)).url, planted.cookie);
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const organisationOf = async (session: PortalSession) => (await as(session, "/portal-session")).body.organisation.id;
  expect(await organisationOf({ cookie, csrf: "" })).toBe(ada.organisation.id);
  expect(await organisationOf(planted)).toBe(eve.organisation.id);
});

test.each([
  ["its link after 5 minutes", "link_expires_at = now()", 401],
  ["its link after the session was revoked", "revoked_at = now()", 401],
  ["its link after the session's end", "expires_at = now()", 401],
])("%s opens nothing", async (_name, change, status) => {
  const ada = await here.owner();
  const link = await aLink(ada);
  await here.db.sql(`update app.portal_sessions set ${change} where id = $1`, [link.id]);
  expect((await enter(link)).status).toBe(status);
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

test("an admin opens no session of an owner, and no key one of another organisation's person", async () => {
  const ada = await here.owner();
  const eve = await here.owner();
  const bea = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  expectRefusal(await bea.post("/portal-sessions", { personId: ada.organisation.ownerId }), "member_above_own");
  expectRefusal(await eve.post("/portal-sessions", { personId: ada.organisation.ownerId }), "not_found");
  const session = await aSession(ada);
  expectRefusal(await eve.get(`/portal-sessions/${session.id}`), "not_found");
  expectRefusal(await eve.delete(`/portal-sessions/${session.id}`), "not_found");
  expect((await as(session, "/bots")).status).toBe(200);
});

test("the answer with the link is replayed under its Idempotency-Key, and lists never show the link", async () => {
  const ada = await here.owner();
  const idempotencyKey = crypto.randomUUID();
  const first = await ada.post("/portal-sessions", {}, { idempotencyKey });
  const second = await ada.post("/portal-sessions", {}, { idempotencyKey });
  expect(second.body).toEqual(first.body);
  const { url: _url, ...stored } = first.body;
  expect((await ada.get("/portal-sessions")).body.data).toEqual([stored]);
  expect((await ada.get(`/portal-sessions/${stored.id}`)).body).toEqual(stored);
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

type Operations = Record<string, string[]>;
const reached = async (session: PortalSession) =>
  Object.values((await as(session, "/portal-session")).body.operations as Operations).flat();

/** A memory of scope member, a personal bot and a conversation of the person. */
async function privateRows(of: Member, person: string): Promise<{ bot: string; memory: string }> {
  const [bot] = await here.db.sql<{ id: string }>(
    `insert into app.bots (organisation_id, name, model, visibility, direct_conversation, owner_id)
     values ($1, 'Diary', 'recall', 'personal', 'owner', $2) returning id`,
    [of.organisation.id, person],
  );
  const [memory] = await here.db.sql<{ id: string }>(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
     values ($1, 'member', $2, 'note', 'Tea', 'Takes it black', 'member', 'app', $2) returning id`,
    [of.organisation.id, person],
  );
  if (!bot || !memory) throw new Error("No row was inserted.");
  return { bot: bot.id, memory: memory.id };
}

test("a session for another person reads no member memory and no personal bot of the person, and makes none", async () => {
  const ada = await here.owner();
  const bea = await makeMember(here.db, ada.organisation.id, "admin");
  const rows = await privateRows(ada, bea);
  const session = await aSession(ada, { personId: bea });
  expect((await as(session, "/memories")).body.data).toEqual([]);
  expectRefusal(await as(session, `/memories/${rows.memory}`), "not_found");
  expect((await as(session, "/memories?q=black")).body.data).toEqual([]);
  expect((await as(session, "/bots")).body.data).toEqual([]);
  expectRefusal(await as(session, `/bots/${rows.bot}`), "not_found");
  const personal = { name: "Diary", visibility: "personal" };
  expectRefusal(await as(session, "/bots", { method: "POST", body: personal }), "outside_portal_session");
  const own = await aSession(await here.another(ada, "admin", bea));
  expect((await as(own, "/memories")).body.data).toMatchObject([{ id: rows.memory }]);
  expect((await as(own, "/bots")).body.data).toMatchObject([{ id: rows.bot }]);
});

test("a session for another person creates no credential, invitation, run or routine; one's own session does", async () => {
  const ada = await here.owner();
  const bea = await makeMember(here.db, ada.organisation.id, "admin");
  const session = await aSession(ada, { personId: bea });
  const bodies = { "/keys": { name: "Hidden" }, "/invitations": { email: "eve@example.com" } };
  for (const [path, body] of Object.entries(bodies)) {
    expectRefusal(await as(session, path, { method: "POST", body }), "outside_portal_session");
    expect((await as(await aSession(ada), path, { method: "POST", body })).status).toBe(201);
  }
  const [theirs, own] = [await reached(session), await reached(await aSession(ada))];
  expect(own.filter((name) => !theirs.includes(name)).toSorted()).toEqual([
    "create_hook",
    "create_invitation",
    "create_key",
    "create_routine",
    "resend_invitation",
    "rotate_hook_secret",
    "rotate_key",
    "start_run",
  ]);
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

test("userId names the person as personId does; two different persons are refused", async () => {
  const ada = await here.owner();
  const max = await makeMember(here.db, ada.organisation.id, "member");
  expect(await aLink(ada, { userId: max })).toMatchObject({ personId: max });
  expectRefusal(
    await ada.post("/portal-sessions", { userId: max, personId: ada.organisation.ownerId }),
    "invalid_request",
  );
});

test("a member changes and deletes their own bots, and is refused for those of others", async () => {
  const ada = await here.owner();
  const max = await makeMember(here.db, ada.organisation.id, "member");
  const session = await aSession(ada, { personId: max });
  const own = (await as(session, "/bots", { method: "POST", body: { name: "Own" } })).body.id;
  const other = (await ada.post("/bots", { name: "Ada's" })).body.id;
  const patch = { method: "PATCH", body: { name: "Renamed" } };
  expect((await as(session, `/bots/${own}`, patch)).body.name).toBe("Renamed");
  expectRefusal(await as(session, `/bots/${other}`, patch), "not_own_bot");
  expectRefusal(await as(session, `/bots/${other}`, { method: "DELETE" }), "not_own_bot");
  expect((await ada.get(`/bots/${other}`)).body.name).toBe("Ada's");
  expect((await as(session, `/bots/${own}`, { method: "DELETE" })).status).toBe(200);
  expectRefusal(await ada.get(`/bots/${own}`), "not_found");
});

test("a member is refused for memory writes and routines, and nothing is written", async () => {
  const ada = await here.owner();
  const max = await makeMember(here.db, ada.organisation.id, "member");
  const memory = (await ada.post("/memories", { scope: "organisation", kind: "fact", subject: "Tea", value: "Black" }))
    .body;
  const session = await aSession(ada, { personId: max });
  const body = { scope: "organisation", kind: "fact", subject: "Tea", value: "Green" };
  expectRefusal(await as(session, "/memories", { method: "POST", body }), "outside_portal_session");
  const change = { method: "PATCH", body: { value: "Green" } };
  expectRefusal(await as(session, `/memories/${memory.id}`, change), "outside_portal_session");
  expectRefusal(await as(session, `/memories/${memory.id}`, { method: "DELETE" }), "outside_portal_session");
  expect((await as(session, "/memories")).body.data).toEqual([memory]);
});
