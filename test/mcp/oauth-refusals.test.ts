/** Refusals of consent and of the exchange of a code. (docs/specification/oauth.md) */
import { createHash } from "node:crypto";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { csrfToken } from "../../src/web/session-cookie.ts";
import { type Json, testApi } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { mintToken } from "../support/console.ts";
import { makeMember, setLimits } from "../support/database.ts";
import {
  answerConsent,
  consented,
  exchange,
  oauthOfFile,
  openConsent,
  pkce,
  queryOf,
  redirectUri,
  sessionAt,
} from "../support/oauth.ts";
import { type PortalSession, portalSessionsOf } from "../support/portal-session.ts";

const here = ownApiOfFile();
const at = oauthOfFile(here);
const { aLink } = portalSessionsOf(here);

const aSession = async (ada: Member, body: object = {}) => sessionAt(at.api, await aLink(ada, body));
const keysOf = async (ada: Member): Promise<Json[]> => (await ada.get("/keys")).body.data;
const isLive = async (key: string) => (await at.api.call("GET", "/me", { key })).status === 200;

/** No key was created: the organisation has only its first key. */
const expectNoKey = async (ada: Member) => expect(await keysOf(ada)).toHaveLength(1);

/** A session in which an operator views the portal as the person. */
async function viewOf({ organisation }: Member): Promise<PortalSession> {
  const session = makeCredential("bsx");
  const token = await mintToken(here.db, "act");
  await here.db.sql(
    `insert into app.portal_sessions (
       organisation_id, person_id, operator, operator_token_id, read_only, link_digest, expires_at, opened_at, session_digest
     )
     values ($1, $2, 'Tests', $3, true, sha256($4), now() + interval '30 minutes', now(), $4)`,
    [organisation.id, organisation.ownerId, token.id, session.digest],
  );
  return { cookie: `botstead-portal=${session.text}`, csrf: csrfToken(session.text) };
}

describe("the exchange", () => {
  test.each([
    ["another verifier", { code_verifier: "v".repeat(43) }, "invalid_grant"],
    ["another client", { client_id: "https://other.example/client.json" }, "invalid_grant"],
    ["another redirect address", { redirect_uri: "http://127.0.0.1:33419/callback" }, "invalid_grant"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["an unknown code", { code: makeCredential("bsc").text }, "invalid_grant"],
    ["a key in place of the code", { code: makeCredential("bsk").text }, "invalid_grant"],
    ["a short verifier", { code_verifier: "short" }, "invalid_request"],
    ["no client", { client_id: "" }, "invalid_request"],
    ["another kind of grant", { grant_type: "refresh_token" }, "unsupported_grant_type"],
  ])("with %s is refused, and the right one still succeeds", async (_name, more, error) => {
    const ada = await here.owner();
    const form = await consented(at, await aSession(ada));
    const refused = await exchange(at.api, { ...form, ...more });
    expect([refused.status, refused.body.error]).toEqual([400, error]);
    expect(refused.headers.get("cache-control")).toBe("no-store");
    await expectNoKey(ada);
    expect((await exchange(at.api, form)).status).toBe(200);
  });

  test("of a code twice is refused, and ends the key of the first", async () => {
    const ada = await here.owner();
    const form = await consented(at, await aSession(ada));
    const { access_token } = (await exchange(at.api, form)).body;
    expect(await isLive(access_token)).toBe(true);
    const foreign = await exchange(at.api, { ...form, code_verifier: "v".repeat(43) });
    expect([foreign.body.error, await isLive(access_token)]).toEqual(["invalid_grant", true]); // proves nothing
    const again = await exchange(at.api, form);
    expect([again.status, again.body.error, await isLive(access_token)]).toEqual([400, "invalid_grant", false]);
    const [key] = await keysOf(ada);
    const { data } = (await ada.get(`/audit?resourceId=${key?.id}`)).body;
    expect(data[0]).toMatchObject({ action: "updated", actor: "system", changed: ["revokedAt"], userId: null });
    expect((await exchange(at.api, form)).body.error).toBe("invalid_grant"); // a third changes nothing
  });

  test("of a code several times at once gives one key, which a repeat ends", async () => {
    const ada = await here.owner();
    const form = await consented(at, await aSession(ada));
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(at.api, form)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
    expect(await keysOf(ada)).toHaveLength(2);
    expect((await keysOf(ada))[0]?.revokedAt).not.toBeNull();
  });

  test("of a code after 60 seconds is refused", async () => {
    const ada = await here.owner();
    const form = await consented(at, await aSession(ada));
    const digest = createHash("sha256")
      .update(form.code ?? "")
      .digest();
    const [row] = await here.db.sql<{ life: number }>(
      "select extract(epoch from expires_at - created_at)::float as life from app.authorization_codes where digest = $1",
      [digest],
    );
    expect(Math.abs((row?.life ?? 0) - 60)).toBeLessThan(1);
    await here.db.sql("update app.authorization_codes set expires_at = now() where digest = $1", [digest]);
    expect((await exchange(at.api, form)).body.error).toBe("invalid_grant");
    await expectNoKey(ada);
  });

  test.each([
    [
      "the person was demoted",
      (_ada: Member, bea: string) =>
        here.db.sql("update app.memberships set role = 'member' where person_id = $1", [bea]),
    ],
    ["the person was removed", (ada: Member, bea: string) => ada.delete(`/members/${bea}`)],
    [
      "the session was revoked",
      (ada: Member) =>
        here.db.sql("update app.portal_sessions set revoked_at = now() where organisation_id = $1", [
          ada.organisation.id,
        ]),
    ],
    [
      "the key that opened the session was revoked",
      (ada: Member, bea: string) =>
        here.db.sql("update app.api_keys set revoked_at = now() where organisation_id = $1 and created_by = $2", [
          ada.organisation.id,
          bea,
        ]),
    ],
    [
      "the organisation was suspended",
      (ada: Member) =>
        here.db.sql("update app.organisations set suspended_at = now() where id = $1", [ada.organisation.id]),
    ],
  ])("is refused if %s after the consent", async (_name, end) => {
    const ada = await here.owner();
    const bea = await makeMember(here.db, ada.organisation.id, "admin");
    const form = await consented(at, await aSession(await here.another(ada, "admin", bea)));
    await end(ada, bea);
    const refused = await exchange(at.api, form);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    const keys = await here.db.sql("select from app.api_keys where organisation_id = $1", [ada.organisation.id]);
    expect(keys).toHaveLength(2); // Ada's and Bea's
  });

  test("counts to the limit of keys: at the limit no code is exchanged, and no consent is possible", async () => {
    const ada = await here.owner();
    const session = await aSession(ada);
    const form = await consented(at, session);
    await setLimits(here.db, ada.organisation.id, { liveKeys: 1 });
    const refused = await exchange(at.api, form);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    expect(refused.body.error_description).toContain("live keys");
    const query = queryOf(at, at.client(), pkce().challenge);
    const page = await openConsent(at.api, session, query);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining("No room for another key")]);
    expect((await answerConsent(at.api, session, query)).status).toBe(409);
    await expectNoKey(ada);
  });

  test("of a code again revokes the keys that replaced its key too, and no other key", async () => {
    const ada = await here.owner();
    const form = await consented(at, await aSession(ada), { scope: "admin" });
    const { access_token: first } = (await exchange(at.api, form)).body;
    const rotate = async (key: string) => {
      const { id } = (await at.api.call("GET", "/me", { key })).body.key;
      return at.api.call("POST", `/keys/${id}/rotate`, { key, body: { overlapHours: 1 } });
    };
    const second = (await rotate(first)).body.key;
    const third = (await rotate(second)).body.key;
    const other = (await ada.post("/keys", { name: "Other" })).body.key;
    expect(await Promise.all([first, second, third, other].map(isLive))).toEqual([true, true, true, true]);
    await exchange(at.api, form);
    expect(await Promise.all([first, second, third, other].map(isLive))).toEqual([false, false, false, true]);
  });

  test("of a code again, while its key is rotated, leaves no key of the code", async () => {
    const ada = await here.owner();
    const session = await aSession(ada);
    for (let round = 0; round < 5; round += 1) {
      const form = await consented(at, session, { scope: "admin" });
      const key = (await exchange(at.api, form)).body.access_token;
      const { id } = (await at.api.call("GET", "/me", { key })).body.key;
      const rotating = at.api.call("POST", `/keys/${id}/rotate`, { key, body: {} });
      const repeats = Array.from({ length: 3 }, () => exchange(at.api, form));
      const [rotated, ...answers] = await Promise.all([rotating, ...repeats]);
      expect(answers.map(({ body }) => body.error)).toEqual(Array(3).fill("invalid_grant"));
      const later = rotated.status === 201 ? [rotated.body.key as string] : [];
      expect(await Promise.all([key, ...later].map(isLive))).toEqual([key, ...later].map(() => false));
    }
    expect((await keysOf(ada)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });
});

describe("consent", () => {
  const page = async (session: PortalSession | undefined, clientId: string, more: Record<string, string> = {}) =>
    openConsent(at.api, session, queryOf(at, clientId, pkce().challenge, more));

  test("refused leads back with access_denied, and creates nothing", async () => {
    const ada = await here.owner();
    const query = queryOf(at, at.client(), pkce().challenge);
    const { status, location } = await answerConsent(at.api, await aSession(ada), query, { answer: "refuse" });
    expect([status, location?.origin, Object.fromEntries(location?.searchParams ?? [])]).toEqual([
      303,
      new URL(redirectUri).origin,
      { error: "access_denied", state: "as sent", iss: at.api.url },
    ]);
    expect(
      await here.db.sql("select from app.authorization_codes where organisation_id = $1", [ada.organisation.id]),
    ).toEqual([]);
  });

  test.each([
    ["without a session", 401, async () => undefined],
    [
      "in a session that ended",
      401,
      async (ada: Member) => {
        const session = await aSession(ada);
        await here.db.sql("update app.portal_sessions set revoked_at = now() where organisation_id = $1", [
          ada.organisation.id,
        ]);
        return session;
      },
    ],
    [
      "in a session that another person opened",
      403,
      async (ada: Member) => aSession(ada, { personId: await makeMember(here.db, ada.organisation.id, "admin") }),
    ],
    ["in a view of an operator", 403, viewOf],
    [
      "of a member",
      403,
      async (ada: Member) => aSession(ada, { personId: await makeMember(here.db, ada.organisation.id, "member") }),
    ],
    ["in a session without the section of keys", 403, async (ada: Member) => aSession(ada, { sections: ["bots"] })],
  ])("%s is not asked for, and the client's document is not read", async (_name, status, open) => {
    const ada = await here.owner();
    const session = await open(ada);
    const read = at.documents.received.length;
    const query = queryOf(at, at.client(), pkce().challenge);
    expect((await openConsent(at.api, session, query)).status).toBe(status);
    if (session) expect((await answerConsent(at.api, session, query)).status).toBe(status);
    expect(at.documents.received).toHaveLength(read);
    expect(
      await here.db.sql("select from app.authorization_codes where organisation_id = $1", [ada.organisation.id]),
    ).toEqual([]);
  });

  test("needs the token of the page, and a key is no session", async () => {
    const ada = await here.owner();
    const session = await aSession(ada);
    const query = queryOf(at, at.client(), pkce().challenge);
    for (const csrf of ["", "wrong"]) expect((await answerConsent(at.api, session, query, { csrf })).status).toBe(403);
    const withKey = await fetch(`${at.api.url}/portal/consent?${query}`, {
      headers: { authorization: `Bearer ${ada.key.text}` },
    });
    expect(withKey.status).toBe(401);
    expect(
      await here.db.sql("select from app.authorization_codes where organisation_id = $1", [ada.organisation.id]),
    ).toEqual([]);
  });

  test("SQL refuses a code for a session that may not create keys", async () => {
    const ada = await here.owner();
    const { cookie } = await aSession(ada, { sections: ["bots"] });
    const input = {
      ...{ clientId: "https://a.example/c", keyName: "a", redirectUri, codeChallenge: "c".repeat(43), resource: "r" },
      ...{ scope: "read", expiresInDays: 1, codeDigest: "0".repeat(64) },
    };
    const { rows } = await here.db
      .poolAs("server")
      .query<{ answer: string }>(
        "select api.handle($1, 'create_authorization_code', $2, null, uuidv7(), null, null, null) as answer",
        [
          createHash("sha256")
            .update(cookie.split("=")[1] ?? "")
            .digest(),
          JSON.stringify(input),
        ],
      );
    expect(JSON.parse(rows[0]?.answer ?? "")).toMatchObject({ refusal: "forbidden", reason: "outside_portal_session" });
  });

  test.each([
    ["a client_id that is no https address", "http://localhost/client.json"],
    ["a client_id without a path", "https://localhost/"],
    ["a client_id with a login", "https://a:b@localhost/client.json"],
    ["a client_id that is written differently", "https://LOCALHOST/client.json"],
    ["a client_id of a private network", "https://10.0.0.1/client.json"],
    ["no client_id", ""],
  ])("%s is refused without a request", async (_name, clientId) => {
    const read = at.documents.received.length;
    const { status, text } = await page(await aSession(await here.owner()), clientId);
    expect([status, text]).toEqual([400, expect.stringContaining("client_id")]);
    expect(at.documents.received).toHaveLength(read);
  });

  const json = { "content-type": "application/json" };
  test.each<[string, Parameters<typeof at.answering>[0], string]>([
    ["is missing", (_, response) => response.writeHead(404).end(), "status"],
    ["redirects", (_, response) => response.writeHead(302, { location: "/clients/1.json" }).end(), "redirect"],
    ["is HTML", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"), "type"],
    [
      "is too long",
      (_, response) => response.writeHead(200, json).end(JSON.stringify({ a: "x".repeat(20_000) })),
      "size",
    ],
    ["never ends", (_, response) => response.writeHead(200, json).write("{"), "timeout"],
    ["breaks off", (_, response) => response.destroy(), "transport"],
    ["is no JSON", (_, response) => response.writeHead(200, json).end("{"), "not valid"],
    [
      "names another client",
      (_, response) => response.writeHead(200, json).end('{"client_id":"https://a.example/b","redirect_uris":[]}'),
      "another client_id",
    ],
  ])("a client whose document %s is refused", async (_name, respond, why) => {
    const { status, text, location } = await page(await aSession(await here.owner()), at.answering(respond));
    expect([status, location, text]).toEqual([400, undefined, expect.stringContaining(why)]);
  });

  test.each([
    ["has a secret", { client_secret: "secret" }, 400],
    ["must authenticate with a key", { token_endpoint_auth_method: "private_key_jwt" }, 400],
    [
      "can do without authentication",
      {
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      },
      200,
    ],
    ["says nothing of authentication", { token_endpoint_auth_method: undefined }, 200],
    ["uses no codes", { grant_types: ["client_credentials"] }, 400],
  ])("a client that %s: %p answers %i", async (_name, more, status) => {
    expect((await page(await aSession(await here.owner()), at.client(more))).status).toBe(status);
  });

  test.each([
    ["the same text", "https://app.example.com/callback", 200],
    ["another port of this computer", "http://127.0.0.1:5/callback", 200],
    ["another host of this computer", "http://localhost:33418/callback", 400],
    ["another path", "http://127.0.0.1:33418/other", 400],
    ["another query", "http://127.0.0.1:33418/callback?a=b", 400],
    ["another port elsewhere", "https://app.example.com:8443/callback", 400],
    ["another case", "https://APP.example.com/callback", 400],
    ["a fragment", "https://app.example.com/callback#a", 400],
    ["a login", "http://a@127.0.0.1:33418/callback", 400],
    ["none", "", 400],
  ])("the redirect address may be %s: %s answers %i", async (_name, uri, status) => {
    const { status: found, location } = await page(await aSession(await here.owner()), at.client(), {
      redirect_uri: uri,
    });
    expect([found, location]).toEqual([status, undefined]);
  });

  test.each([
    "http://app.example.com/callback",
    "javascript:alert(1)",
    "cursor://callback",
    "https://app.example.com/#a",
    "http://127.1/callback",
    "http://LOCALHOST/callback",
    "http://localhost:/callback",
    "https://a;frame-ancestors;.example.com/callback",
    "https://a,b.example.com/callback",
    "https://*.example.com/callback",
    "https://a'b.example.com/callback",
    "https://example.com./callback",
  ])("a document cannot list %s", async (uri) => {
    const id = at.client({ redirect_uris: [uri] });
    expect((await page(await aSession(await here.owner()), id, { redirect_uri: uri })).status).toBe(400);
  });

  test.each([
    ["response_type", "token", "unsupported_response_type"],
    ["code_challenge_method", "plain", "invalid_request"],
    ["code_challenge", "short", "invalid_request"],
    ["resource", "https://other.example/mcp", "invalid_target"],
    ["resource", "", "invalid_target"],
    ["scope", "openid", "invalid_scope"],
  ])("%s=%s is not asked, and the person decides whether to go back", async (name, value, error) => {
    const ada = await here.owner();
    const { status, location, text } = await page(await aSession(ada), at.client(), { [name]: value });
    expect([status, location]).toEqual([400, undefined]);
    expect(text).toContain(`href="${redirectUri}?error=${error}&amp;`);
  });

  test("a client gets no more than the scope that it asks for, and no longer than the page offers", async () => {
    const ada = await here.owner();
    const session = await aSession(ada);
    const query = queryOf(at, at.client(), pkce().challenge, { scope: "write unknown" });
    const { text } = await openConsent(at.api, session, query);
    // Neither is chosen at first.
    expect([...text.matchAll(/name="scope" value="(\w+)"([^>]*)>/g)].map(([, ...parts]) => parts)).toEqual([
      ["read", " required"],
      ["write", " required"],
    ]);
    for (const form of [{ scope: "admin" }, { days: "366" }, { answer: "perhaps" }, { scope: "" }])
      expect((await answerConsent(at.api, session, query, form)).status).toBe(400);
    expect(
      await here.db.sql("select from app.authorization_codes where organisation_id = $1", [ada.organisation.id]),
    ).toEqual([]);
  });

  test("the name that a client gives itself is shown as text, with characters that have no glyph", async () => {
    const id = at.client({ client_name: "Desk\u2066<b>\u200b" });
    const { text } = await page(await aSession(await here.owner()), id);
    expect(text).toContain("which calls itself <q>Desk[U+2066]&lt;b&gt;[U+200B]</q>, asks");
    expect(text).toContain(`<code>localhost:${at.documents.port}</code>`); // it is no name of a key
    const named = await page(await aSession(await here.owner()), at.client({ client_name: "De\u200bsk" }));
    expect(named.text).toContain(`<code>De[U+200B]sk (localhost:${at.documents.port})</code>`);
  });

  test("a long name is cut, and a client without a name is shown by its host", async () => {
    const long = await page(await aSession(await here.owner()), at.client({ client_name: "N".repeat(5_000) }));
    expect(long.text).toContain(`<q>${"N".repeat(60)}…</q>`);
    const nameless = await page(await aSession(await here.owner()), at.client({ client_name: undefined }));
    expect(nameless.text).toContain(`<strong>localhost:${at.documents.port}</strong> asks for access`);
  });

  test("a name with half of a character becomes the name of a key", async () => {
    const ada = await here.owner();
    const form = await consented(
      at,
      await aSession(ada),
      { name: `De\ufffdsk (localhost:${at.documents.port})` },
      at.client({ client_name: "De\ud800sk" }),
    );
    expect((await exchange(at.api, form)).status).toBe(200);
    expect((await keysOf(ada))[0]?.name).toBe(`De\ufffdsk (localhost:${at.documents.port})`);
  });

  test("a repeated parameter is refused", async () => {
    const query = queryOf(at, at.client(), pkce().challenge);
    query.append("state", "another");
    expect((await openConsent(at.api, await aSession(await here.owner()), query)).status).toBe(400);
  });
});

test("maintenance deletes codes a day after their end, and a repeated exchange until then revokes the key", async () => {
  const ada = await here.owner();
  const form = await consented(at, await aSession(ada));
  const { access_token } = (await exchange(at.api, form)).body;
  const age = (time: string) =>
    here.db.sql("update app.authorization_codes set expires_at = now() - $2::interval where organisation_id = $1", [
      ada.organisation.id,
      time,
    ]);
  const left = async () => {
    await here.db.sql("select jobs.delete_old_authorization_codes()");
    const rows = await here.db.sql("select from app.authorization_codes where organisation_id = $1", [
      ada.organisation.id,
    ]);
    return rows.length;
  };
  await age("23 hours");
  expect([await left(), await isLive(access_token)]).toEqual([1, true]);
  await exchange(at.api, form);
  expect(await isLive(access_token)).toBe(false);
  await age("25 hours");
  expect([await left(), (await exchange(at.api, form)).body.error]).toEqual([0, "invalid_grant"]);
});

const limitedApi = (settings: Record<string, string> = {}) =>
  testApi(
    here.db,
    settings,
    makeRateLimiter(() => 1_800_000_000_000),
  );

test("unknown sessions at the consent page count for the address of the caller, and no document is read", async () => {
  const api = await limitedApi();
  const read = at.documents.received.length;
  const query = queryOf(at, at.client(), pkce().challenge);
  const open = () => openConsent(api, { cookie: `botstead-portal=${makeCredential("bsx").text}`, csrf: "" }, query);
  const answers = await Promise.all(Array.from({ length: 80 }, open));
  await api.stop();
  expect([401, 429].map((status) => answers.filter((answer) => answer.status === status).length)).toEqual([60, 20]);
  expect(at.documents.received).toHaveLength(read);
});

test("30 documents of clients are read for an organisation in a minute, for all its sessions", async () => {
  const api = await limitedApi(at.settings);
  const [ada, bob] = [await here.owner(), await here.owner()];
  const sessions = [await aSession(ada), await aSession(ada)];
  const query = queryOf(at, at.client(), pkce().challenge);
  const open = (session?: PortalSession) => openConsent(api, session, query);
  const read = at.documents.received.length;
  const answers = await Promise.all(Array.from({ length: 40 }, (_, each) => open(sessions[each % 2])));
  expect(at.documents.received).toHaveLength(read + 30);
  expect(answers.filter(({ status, text }) => status === 429 && text.includes("in a minute"))).toHaveLength(10);
  expect((await answerConsent(api, sessions[0] as PortalSession, query)).status).toBe(429);
  await open(await aSession(bob));
  await api.stop();
  expect(at.documents.received).toHaveLength(read + 31);
});

test("a client that changes its name between the page and the answer gets no key, and the page shows the new name", async () => {
  const ada = await here.owner();
  const names = ["Good", "Your payroll export"];
  const id = at.answering((request, response) => {
    const client_name = names.length > 1 ? names.shift() : names[0];
    const document = { client_id: at.documents.url + request.url, client_name, redirect_uris: [redirectUri] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  const query = queryOf(at, id, pkce().challenge);
  const session = await aSession(ada);
  const shownName = (text: string) => /name="name" value="([^"]*)"/.exec(text)?.[1] ?? "";
  const name = shownName((await openConsent(at.api, session, query)).text);
  expect(name).toBe(`Good (localhost:${at.documents.port})`);
  const again = await answerConsent(at.api, session, query, { name });
  expect([again.status, again.text]).toEqual([400, expect.stringContaining("The program has changed its name.")]);
  await expectNoKey(ada);
  const { status } = await answerConsent(at.api, session, query, { name: shownName(again.text) });
  expect(status).toBe(303);
});

test("malformed and unknown codes count for the address of the caller", async () => {
  const api = await limitedApi();
  const form = {
    grant_type: "authorization_code",
    client_id: "a",
    redirect_uri: "b",
    code_verifier: "v".repeat(43),
    resource: "c",
  };
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, each) =>
      exchange(api, { ...form, code: each % 2 ? "nonsense" : makeCredential("bsc").text }),
    ),
  );
  await api.stop();
  const limited = answers.filter(({ status }) => status === 429);
  expect([limited.length, answers.filter(({ status }) => status === 400).length]).toEqual([20, 60]);
  expect([limited[0]?.body.error, limited[0]?.headers.get("retry-after")]).toEqual(["too_many_requests", "60"]);
});
