/** Authentication of the console: tokens, rate limit, Host and Origin. (docs/console.md#access) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { mintToken, sendRaw, type TestConsole, testConsole } from "../support/console.ts";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let testServer: TestConsole;

beforeAll(async () => {
  db = await testDatabase();
  // The test acts as a proxy, so that failed attempts of one test do not block another.
  testServer = await testConsole(db, { TRUSTED_PROXIES: "127.0.0.0/8" });
});

afterAll(async () => {
  await testServer.stop();
  await db.drop();
});

const query = "{ __typename }";
const unauthenticated = { status: 401, errors: [{ extensions: { code: "unauthenticated" } }] };

test.each<[Record<string, string>, number]>([
  [{}, 200],
  [{ BASE_URL: "http://localhost:3000", CONSOLE_BASE_URL: "http://[::1]:3001" }, 200],
  [{ BASE_URL: "https://api.example" }, 401],
  [{ CONSOLE_BASE_URL: "http://127.example:3001" }, 401],
])("with %j /metrics returns %i to this machine without a token, and 200 with one", async (env, status) => {
  const other = await testConsole(db, env);
  try {
    const { text } = await mintToken(db, "view");
    const host = new URL(env.CONSOLE_BASE_URL ?? other.url).host;
    const ask = async (headers: Record<string, string>) =>
      (await sendRaw(`${other.url}/metrics`, { host, ...headers })).status;
    expect([await ask({}), await ask({ authorization: `Bearer ${text}` })]).toEqual([status, 200]);
  } finally {
    await other.stop();
  }
});

test("an unknown path returns a page to a browser, and JSON to a script", async () => {
  const { text } = await mintToken(db, "view");
  const at = (accept: string) =>
    fetch(`${testServer.url}/no/such/page`, { headers: { accept, authorization: `Bearer ${text}` } });
  const page = await at("text/html,application/xhtml+xml,*/*;q=0.8");
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  const html = await page.text();
  expect(html).toContain("<h1>No such page</h1>");
  expect(html).toContain('<a href="/">');
  const json = await at("application/json");
  expect([json.status, await json.json()]).toMatchObject([404, { errors: [{ extensions: { code: "not_found" } }] }]);
});

test("a live token is accepted; a revoked, expired or unknown one is refused", async () => {
  const live = await mintToken(db, "view");
  expect(await testServer.ask(query, live.text)).toMatchObject({ status: 200, data: { __typename: "Query" } });

  const revoked = await mintToken(db, "act");
  expect((await testServer.ask(query, revoked.text)).status).toBe(200);
  await db.sql("select operator.revoke_token($1)", [revoked.id]);
  const expired = await mintToken(db, "act");
  expect((await testServer.ask(query, expired.text)).status).toBe(200);
  await db.sql("update app.operator_tokens set expires_at = now() where id = $1", [expired.id]);
  const organisation = await makeOrganisation(db);
  const key = await makeKey(db, organisation.id, organisation.ownerId);

  for (const text of [revoked.text, expired.text, makeCredential("bso").text, `${live.text}x`, key.text, "nothing"]) {
    expect(await testServer.ask(query, text)).toMatchObject(unauthenticated);
  }
  expect((await testServer.ask(query, live.text)).status).toBe(200);
});

test("every path except /healthz needs a token, and refusals have the security headers", async () => {
  const open = await fetch(`${testServer.url}/healthz`);
  expect([open.status, await open.json()]).toEqual([200, { status: "ok" }]);
  const paths = ["/", "/graphql", "/graphiql", "/graphiql/static/ruru.js", "/session", "/metrics", "/no-such-place"];
  const via = { headers: { via: "1.1 proxy" } }; // without this header /metrics is open to this machine
  for (const path of paths) {
    const { status, headers } = await fetch(testServer.url + path, via);
    expect([path, status]).toEqual([path, 401]);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("cache-control")).toMatch(/no-store/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(headers.get("x-powered-by")).toBeNull();
  }
});

test("the last use of a token is recorded at most once per minute", async () => {
  const { text, id } = await mintToken(db, "view");
  const used = async () =>
    (await db.sql<{ at: Date | null }>("select last_used_at as at from app.operator_tokens where id = $1", [id]))[0]
      ?.at;
  expect(await used()).toBeNull();
  await testServer.ask(query, text);
  const first = await used();
  expect(first).toBeInstanceOf(Date);
  await testServer.ask(query, text);
  expect(await used()).toEqual(first);
  await db.sql("update app.operator_tokens set last_used_at = now() - interval '61 seconds' where id = $1", [id]);
  await testServer.ask(query, text);
  expect((await used())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? 0);
});

test("an address gets 429 after ten failures per minute, but a known token from it still works", async () => {
  const known = await mintToken(db, "view");
  const from = "203.0.113.7";
  const ask = (token: string, address = from) =>
    sendRaw(`${testServer.url}/session`, { authorization: `Bearer ${token}`, "x-forwarded-for": address });
  expect((await ask(known.text)).status).toBe(404); // accepted: a bearer token has no session
  const attempts = [];
  for (let count = 0; count < 12; count += 1) attempts.push((await ask(makeCredential("bso").text)).status);
  const stopped = attempts.indexOf(429);
  expect(attempts.slice(0, stopped)).toEqual(Array(stopped).fill(401));
  // The counter restarts if a new minute starts during the loop.
  expect(stopped === 10 || !attempts.slice(0, 10).includes(429)).toBe(true);
  if (stopped === 10) {
    const refused = await ask(makeCredential("bso").text);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.parse(refused.text)).toMatchObject({ errors: [{ extensions: { code: "rate_limited" } }] });
  }
  expect((await ask(known.text)).status).toBe(404);
  expect((await ask(makeCredential("bso").text, "203.0.113.8")).status).toBe(401);
});

test("a foreign Host gets 421, and a request from another site gets 403", async () => {
  const { text } = await mintToken(db, "act");
  const { host, port } = new URL(testServer.url);
  const post = (headers: Record<string, string>) =>
    sendRaw(
      `${testServer.url}/graphql`,
      { host, authorization: `Bearer ${text}`, "content-type": "application/json", ...headers },
      "POST",
      JSON.stringify({ query }),
    );
  for (const allowed of [
    {},
    { host: `localhost:${port}` },
    { origin: testServer.url },
    { "sec-fetch-site": "same-origin" },
  ]) {
    expect((await post(allowed)).status).toBe(200);
  }
  const rebound = await post({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` });
  expect([rebound.status, rebound.text]).toEqual([421, expect.stringContaining('"misdirected"')]);
  for (const foreign of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `http://127.0.0.1:1` },
    { "sec-fetch-site": "cross-site" },
  ]) {
    const refused = await post(foreign);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('"cross_site"')]);
  }
});
