/** The console's door: who gets in, and that nobody else does. (docs/console.md.) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { mintToken, sendRaw, type TestConsole, testConsole } from "../support/console.ts";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let here: TestConsole;

beforeAll(async () => {
  db = await testDatabase();
  // The test is a proxy that tells from where it calls: who guesses there shuts out no other test.
  here = await testConsole(db, { TRUSTED_PROXIES: "127.0.0.0/8" });
}, 60_000);

afterAll(async () => {
  await here.stop();
  await db.drop();
});

const asked = "{ __typename }";
const unauthenticated = { status: 401, errors: [{ extensions: { code: "unauthenticated" } }] };

test("a live token opens the console, and one that was revoked, expired or never was does not", async () => {
  const live = await mintToken(db, "view");
  expect(await here.ask(asked, live.text)).toMatchObject({ status: 200, data: { __typename: "Query" } });

  const revoked = await mintToken(db, "act");
  expect((await here.ask(asked, revoked.text)).status).toBe(200);
  await db.sql("select operator.revoke_token($1)", [revoked.id]);
  const expired = await mintToken(db, "act");
  expect((await here.ask(asked, expired.text)).status).toBe(200);
  await db.sql("update app.operator_tokens set expires_at = now() where id = $1", [expired.id]);
  const organisation = await makeOrganisation(db);
  const key = await makeKey(db, organisation.id, organisation.ownerId);

  for (const text of [revoked.text, expired.text, makeCredential("bso").text, `${live.text}x`, key.text, "nothing"]) {
    expect(await here.ask(asked, text)).toMatchObject(unauthenticated);
  }
  expect((await here.ask(asked, live.text)).status).toBe(200);
});

test("nothing but /healthz is open, and every answer forbids to be framed, kept or guessed at", async () => {
  const open = await fetch(`${here.url}/healthz`);
  expect([open.status, await open.json()]).toEqual([200, { status: "ok" }]);
  const paths = ["/", "/graphql", "/graphiql", "/graphiql/static/ruru.js", "/session", "/metrics", "/no-such-place"];
  const via = { headers: { via: "1.1 proxy" } }; // from this machine itself, /metrics is open
  for (const path of paths) {
    const { status, headers } = await fetch(here.url + path, via);
    expect([path, status]).toEqual([path, 401]);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("cache-control")).toMatch(/no-store/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(headers.get("x-powered-by")).toBeNull();
  }
});

test("its use is noted, at most once a minute", async () => {
  const { text, id } = await mintToken(db, "view");
  const used = async () =>
    (await db.sql<{ at: Date | null }>("select last_used_at as at from app.operator_tokens where id = $1", [id]))[0]
      ?.at;
  expect(await used()).toBeNull();
  await here.ask(asked, text);
  const first = await used();
  expect(first).toBeInstanceOf(Date);
  await here.ask(asked, text);
  expect(await used()).toEqual(first);
  await db.sql("update app.operator_tokens set last_used_at = now() - interval '61 seconds' where id = $1", [id]);
  await here.ask(asked, text);
  expect((await used())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? 0);
});

test("whoever guesses is stopped after ten tries a minute, and who holds a token at the same address is not", async () => {
  const known = await mintToken(db, "view");
  const from = "203.0.113.7";
  const ask = (token: string, address = from) =>
    sendRaw(`${here.url}/session`, { authorization: `Bearer ${token}`, "x-forwarded-for": address });
  expect((await ask(known.text)).status).toBe(404); // let in: a bearer has no session
  const tries = [];
  for (let count = 0; count < 12; count += 1) tries.push((await ask(makeCredential("bso").text)).status);
  const stopped = tries.indexOf(429);
  expect(tries.slice(0, stopped)).toEqual(Array(stopped).fill(401));
  // A minute may turn while they are counted, and then they begin again.
  expect(stopped === 10 || !tries.slice(0, 10).includes(429)).toBe(true);
  if (stopped === 10) {
    const refused = await ask(makeCredential("bso").text);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.parse(refused.text)).toMatchObject({ errors: [{ extensions: { code: "rate_limited" } }] });
  }
  expect((await ask(known.text)).status).toBe(404);
  expect((await ask(makeCredential("bso").text, "203.0.113.8")).status).toBe(401);
});

test("a name that is made to point here is refused, and so is another site's page", async () => {
  const { text } = await mintToken(db, "act");
  const { host, port } = new URL(here.url);
  const post = (headers: Record<string, string>) =>
    sendRaw(
      `${here.url}/graphql`,
      { host, authorization: `Bearer ${text}`, "content-type": "application/json", ...headers },
      "POST",
      JSON.stringify({ query: asked }),
    );
  for (const fine of [{}, { host: `localhost:${port}` }, { origin: here.url }, { "sec-fetch-site": "same-origin" }]) {
    expect((await post(fine)).status).toBe(200);
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
