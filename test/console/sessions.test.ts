/** Sessions of operators in browsers: cookie, CSRF token and expiry. (docs/console.md#access) */
import { consoleOfFile, mintToken, sendRaw, type Token, testConsole } from "../support/console.ts";

const here = consoleOfFile();

type Session = { cookie: string; csrf: string; setCookie: string };

async function signIn(token: Token): Promise<Session> {
  const response = await fetch(`${here.testServer.url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: token.text }),
  });
  expect(response.status).toBe(201);
  const setCookie = response.headers.get("set-cookie") ?? "";
  const { csrfToken, name, scope } = (await response.json()) as Record<string, string>;
  expect(name).toBe(token.name);
  expect(token.name).toContain(scope);
  return { cookie: setCookie.split(";")[0] ?? "", csrf: csrfToken ?? "", setCookie };
}

const getSession = ({ cookie }: Session) => fetch(`${here.testServer.url}/session`, { headers: { cookie } });
const ask = ({ cookie }: Session, headers: Record<string, string>) =>
  fetch(`${here.testServer.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, ...headers },
    body: JSON.stringify({ query: "{ __typename }" }),
  });

test("a session is an HttpOnly, SameSite=Strict cookie for 30 minutes", async () => {
  const session = await signIn(await mintToken(here.db, "view"));
  expect(session.setCookie).toMatch(
    /^botstead-console=bss_[0-9A-Za-z]{49}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const again = await getSession(session);
  expect(again.headers.get("set-cookie")).toBeNull(); // /session does not renew the cookie; other requests do
  expect(await again.json()).toMatchObject({ csrfToken: session.csrf, scope: "view" });
  const used = await ask(session, { "x-csrf-token": session.csrf });
  expect(used.headers.get("set-cookie")).toBe(session.setCookie);
  const rows = await here.db.sql<{ text: string }>("select s::text as text from app.operator_sessions s");
  expect(rows.map(({ text }) => text).join()).not.toContain("bss_");
});

test("with an https base URL the cookie has the __Host- prefix and Secure", async () => {
  const behind = await testConsole(here.db, { CONSOLE_BASE_URL: "https://console.example.com" });
  try {
    const token = await mintToken(here.db, "view");
    const { status, headers } = await sendRaw(
      `${behind.url}/session`,
      { host: "console.example.com", origin: "https://console.example.com", "content-type": "application/json" },
      "POST",
      JSON.stringify({ token: token.text }),
    );
    expect(status).toBe(201);
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-botstead-console=bss_\w{49}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/);
    const session = headers.get("set-cookie")?.split(";")[0] ?? "";
    const getBehind = (cookie: string) => sendRaw(`${behind.url}/session`, { host: "console.example.com", cookie });
    expect((await getBehind(session)).status).toBe(200);
    expect((await getBehind(session.replace("__Host-", ""))).status).toBe(401); // another host of the domain could have set it
    expect((await getBehind(`${session.replace("__Host-", "").replace("bss_", "bss_0")}; ${session}`)).status).toBe(
      200,
    );
  } finally {
    await behind.stop();
  }
});

test("a request of a session needs its own CSRF token", async () => {
  const token = await mintToken(here.db, "act");
  const [session, other] = [await signIn(token), await signIn(token)];
  expect((await ask(session, { "x-csrf-token": session.csrf })).status).toBe(200);
  for (const headers of [{}, { "x-csrf-token": "" }, { "x-csrf-token": other.csrf }] as Record<string, string>[]) {
    const refused = await ask(session, headers);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: "csrf" } }] });
  }
});

test("sign-out ends only this session", async () => {
  const token = await mintToken(here.db, "view");
  const [session, other] = [await signIn(token), await signIn(token)];
  const out = (headers: Record<string, string>) =>
    fetch(`${here.testServer.url}/session`, { method: "DELETE", headers });
  expect((await out({ cookie: session.cookie })).status).toBe(403);
  expect((await getSession(session)).status).toBe(200);
  const ended = await out({ cookie: session.cookie, "x-csrf-token": session.csrf });
  expect([ended.status, ended.headers.get("set-cookie")]).toEqual([200, expect.stringContaining("Max-Age=0")]);
  expect((await getSession(session)).status).toBe(401);
  expect((await getSession(other)).status).toBe(200);
});

test("revoking a token ends its sessions at once", async () => {
  const [token, other] = [await mintToken(here.db, "act"), await mintToken(here.db, "act")];
  const [one, two, third] = [await signIn(token), await signIn(token), await signIn(other)];
  await here.db.sql("select operator.revoke_token($1)", [token.id]);
  expect([(await getSession(one)).status, (await getSession(two)).status, (await getSession(third)).status]).toEqual([
    401, 401, 200,
  ]);
});

test.each([
  [
    "30 minutes without use",
    "last_used_at = now() - interval '30 minutes'",
    "last_used_at = now() - interval '29 minutes'",
  ],
  ["12 hours", "created_at = now() - interval '12 hours'", "created_at = now() - interval '719 minutes'"],
])("a session ends after %s, and not before", async (_, ended, alive) => {
  const token = await mintToken(here.db, "view");
  const session = await signIn(token);
  const set = (values: string) =>
    here.db.sql(`update app.operator_sessions set ${values} where token_id = $1`, [token.id]);
  await set(alive);
  expect((await getSession(session)).status).toBe(200);
  await set(ended);
  expect((await getSession(session)).status).toBe(401);
});

test("use extends a session, and a session ends with its token", async () => {
  const token = await mintToken(here.db, "view");
  const session = await signIn(token);
  await here.db.sql(
    "update app.operator_sessions set last_used_at = now() - interval '29 minutes' where token_id = $1",
    [token.id],
  );
  await getSession(session);
  const [row] = await here.db.sql<{ recent: boolean }>(
    "select last_used_at > now() - interval '1 minute' as recent from app.operator_sessions where token_id = $1",
    [token.id],
  );
  expect(row).toEqual({ recent: true });
  await here.db.sql("update app.operator_tokens set expires_at = now() - interval '1 second' where id = $1", [
    token.id,
  ]);
  expect((await getSession(session)).status).toBe(401);
});

test("a session credential cannot open a session or serve as a bearer token", async () => {
  const session = await signIn(await mintToken(here.db, "view"));
  const text = session.cookie.split("=")[1] ?? "";
  const opened = await fetch(`${here.testServer.url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: text }),
  });
  expect(opened.status).toBe(401);
  expect((await here.testServer.ask("{ __typename }", text)).status).toBe(401);
});

test("the sign-in form redirects to the requested page, and never to another site", async () => {
  const { text } = await mintToken(here.db, "view");
  const signInPage = await fetch(`${here.testServer.url}/graphiql?x=1`, { headers: { accept: "text/html" } });
  const page = await signInPage.text();
  expect(signInPage.status).toBe(401);
  expect(page).toContain('<input type="hidden" name="to" value="/graphiql?x=1">');
  const send = (to: string, token = text) =>
    fetch(`${here.testServer.url}/session`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: here.testServer.url, accept: "text/html" },
      body: new URLSearchParams({ token, to }),
    });
  const signedIn = await send("/graphiql?x=1");
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/graphiql?x=1"]);
  for (const to of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]) {
    expect((await send(to)).headers.get("location")).toMatch(/^\/(?![/\\])/);
  }
  const wrong = await send("/graphiql", "bso_wrong");
  expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
  expect(await wrong.text()).toContain("The token is invalid or expired");
});

test("a link from another site reloads the page, so that the browser sends the SameSite cookie", async () => {
  const followed = await sendRaw(here.testServer.url, {
    accept: "text/html",
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
  });
  expect([followed.status, followed.headers.get("refresh")]).toEqual([401, "0"]);
  expect(followed.text).not.toContain("<form");
  const again = await sendRaw(here.testServer.url, { accept: "text/html", "sec-fetch-site": "same-origin" });
  expect(again.headers.get("refresh")).toBeNull();
  expect(again.text).toContain("<form");
});
