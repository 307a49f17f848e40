/** Links that open portal sessions: once, for a person that the key may name. (docs/specification/portal.md) */
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { type PortalSession, portalSessionsOf } from "../support/portal-session.ts";

const here = apiOfFile();
const { aLink, aSession, as, enter } = portalSessionsOf(here);

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
  const entered = await enter(await aLink(ada), planted.cookie);
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

test("userId names the person as personId does; two different persons are refused", async () => {
  const ada = await here.owner();
  const max = await makeMember(here.db, ada.organisation.id, "member");
  expect(await aLink(ada, { userId: max })).toMatchObject({ personId: max });
  expectRefusal(
    await ada.post("/portal-sessions", { userId: max, personId: ada.organisation.ownerId }),
    "invalid_request",
  );
});

test.each([
  "https://a.example/\0",
  "https://a.example/\ud800",
  "javascript:alert(1)",
  `https://a.example/${"x".repeat(2031)}`,
])("a session with %j as returnUrl is refused", async (returnUrl) => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/portal-sessions", { returnUrl }), "invalid_request", ["body.returnUrl"]);
});
