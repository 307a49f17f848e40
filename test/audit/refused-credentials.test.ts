/** The record of refused credentials: every class and way in, its bounds, and no secret. (docs/auditing.md) */
import { pino } from "pino";
import { callCounting } from "../../src/api/own-calls.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations, pageOperations } from "../../src/contract/operations.ts";
import { openApiPools } from "../../src/database/connections/api-pools.ts";
import { urlAs } from "../../src/database/urls.ts";
import { type CredentialClass, digestOf, makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { countRefusedCredentials, type RefusedCredential } from "../../src/web/refused-credentials.ts";
import { type Json, type TestApi, testApi } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { mintToken, testConsole } from "../support/console.ts";
import { makeMember, makePlatformKey } from "../support/database.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { openSession } from "../support/portal-session.ts";
import { absent } from "../support/requests.ts";
import { signed } from "../support/sign.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = ownApiOfFile();
const { hook, send } = hookInbox(here);
const silent = pino({ level: "silent" });

type Row = { kind: string; prefix: string | null; reason: string; address: string | null; requests: number };

/** As auditor reads it. */
async function recorded(condition = "true", values: unknown[] = []): Promise<Row[]> {
  const pool = here.db.poolAs("auditor", 1);
  const { rows } = await pool.query<Row>(
    `select kind, prefix, reason, host(address) as address, requests::integer, credential_id, organisation_id
     from audit.refused_credentials where ${condition} order by kind, reason, prefix`,
    values,
  );
  await pool.end();
  return rows;
}

/** Sends requests to a process of its own, whose stop stores the counts. */
async function during(work: (api: TestApi) => Promise<unknown>, ...more: unknown[]): Promise<void> {
  const [settings = {}, limiter] = more as [Record<string, string>?, ReturnType<typeof makeRateLimiter>?];
  const api = await testApi(here.db, settings, limiter);
  await work(api).finally(() => api.stop());
}

const refused = async (answer: Promise<{ status: number }>, status = 401) => expect((await answer).status).toBe(status);
const prefixOf = ({ text }: { text: string }) => text.slice(0, 12);
const every: string[] = [];
/** A credential whose text must be nowhere. */
const unknown = (of: CredentialClass) => {
  const { text } = makeCredential(of);
  every.push(text);
  return text;
};

beforeEach(async () => {
  await here.db.sql("delete from app.refused_credentials");
});

test("keys are recorded with the reason of their refusal, address, id and organisation", async () => {
  const ada = await here.owner();
  const max = await makeMember(here.db, ada.organisation.id, "admin");
  const [revoked, expired, elsewhere] = [await here.another(ada), await here.another(ada), await here.another(ada)];
  const [demoted, reader] = [await here.another(ada, "admin", max), await here.another(ada, "read")];
  every.push(...[revoked, expired, elsewhere, demoted, reader].map(({ key }) => key.text));
  await here.db.sql("update app.api_keys set revoked_at = now() where id = $1", [revoked.key.id]);
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [expired.key.id]);
  await here.db.sql("update app.api_keys set allowed_ips = '{192.0.2.0/24}' where id = $1", [elsewhere.key.id]);
  await here.db.sql("update app.memberships set role = 'member' where person_id = $1", [max]);
  const nowhere = unknown("bsk");
  await during(async (api) => {
    for (const { key } of [revoked, revoked, expired, elsewhere, demoted])
      await refused(api.call("GET", "/bots", { key: key.text }));
    expect((await api.call("GET", "/bots", { key: reader.key.text })).status).toBe(200);
    await refused(api.call("GET", "/keys", { key: reader.key.text }));
    await refused(api.call("GET", "/bots", { key: nowhere }));
    await refused(api.call("GET", "/bots"));
    await refused(api.call("GET", "/bots", { key: "hunter2.of-another-service" }));
  });
  const found = (await recorded()).map(({ prefix, reason, requests }) => [prefix, reason, requests]);
  const expected = [
    [prefixOf(revoked.key), "revoked", 2],
    [prefixOf(expired.key), "expired", 1],
    [prefixOf(elsewhere.key), "address", 1],
    [prefixOf(demoted.key), "person is no admin", 1],
    [prefixOf(reader.key), "scope", 1],
    [nowhere.slice(0, 12), "unknown", 1],
    [null, "malformed", 1],
  ];
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(await recorded("prefix = $1", [prefixOf(revoked.key)])).toEqual([
    {
      ...{ kind: "key", prefix: prefixOf(revoked.key), reason: "revoked", address: "127.0.0.1", requests: 2 },
      ...{ credential_id: revoked.key.id, organisation_id: ada.organisation.id },
    },
  ]);
});

test("each class of credentials and each way in is recorded, and no secret of any", async () => {
  const at = await hook();
  const link = (await at.ada.post("/portal-sessions", {})).body as Json;
  const session = await openSession(here.api.url, link.url);
  await at.ada.delete(`/portal-sessions/${link.id}`);
  const platform = await makePlatformKey(here.db);
  await here.db.sql("update app.platform_keys set revoked_at = now() where id = $1", [platform.id]);
  every.push(platform.text, session.cookie.split("=")[1] ?? "", new URL(link.url).hash.slice(1), at.secret);
  await during(async (api) => {
    const page = (path: string, init = {}) => fetch(`${api.url}${path}`, { redirect: "manual", ...init });
    await refused(api.call("GET", "/bots", { key: unknown("bso") }));
    await refused(api.call("GET", `/platform/organisations/${absent}`, { key: platform.text }));
    await refused(api.call("GET", `/platform/organisations/${absent}`, { key: at.ada.key.text }));
    await refused(page("/api/v1/bots", { headers: { cookie: session.cookie } }));
    await refused(page("/mcp", { method: "POST", headers: { authorization: `Bearer ${unknown("bsk")}` } }));
    for (const path of [`/invitation/${unknown("bsi")}`, `/approval/${unknown("bsa")}`]) await refused(page(path), 404);
    const token = new URL(link.url).hash.slice(1);
    const enter = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) };
    expect((await page("/portal/enter", enter)).status).toBeGreaterThanOrEqual(400);
    const code = new URLSearchParams({
      ...{ grant_type: "authorization_code", code: unknown("bsc"), client_id: "https://a.example/b", resource: "c" },
      ...{ redirect_uri: "https://a.example/c", code_verifier: "v".repeat(43) },
    });
    await refused(page("/oauth/token", { method: "POST", body: code }), 400);
    const wrong = { ...at, secret: `whsec_${Buffer.alloc(32).toString("base64")}` };
    await refused(send(at, signed(wrong.secret, "Hello"), api));
    await refused(send({ id: absent }, signed(at.secret, "Hello"), api));
  });
  const operators = await testConsole(here.db);
  const token = await mintToken(here.db, "view");
  await here.db.sql("update app.operator_tokens set revoked_at = now() where id = $1", [token.id]);
  every.push(token.text);
  const consoleAt = (headers: Record<string, string>) => fetch(`${operators.url}/session`, { headers });
  await refused(consoleAt({ authorization: `Bearer ${token.text}` }));
  await refused(consoleAt({ authorization: `Bearer ${unknown("bso")}` }));
  await refused(consoleAt({ cookie: `botstead-console=${unknown("bss")}` }));
  await refused(consoleAt({}));
  await operators.stop();

  const rows = (await recorded()).map(({ kind, reason, requests }) => `${kind}: ${reason} ${requests}`);
  expect(rows.sort()).toEqual(
    [
      ...["approval link: unknown 1", "hook: signature 1", "hook: unknown 1", "invitation link: unknown 1"],
      "authorization code: unknown 1",
      ...["key: class 1", "key: unknown 1", "operator session: unknown 1", "operator token: revoked 1"],
      ...["operator token: unknown 1", "operator token: unknown 1", "platform key: revoked 1"],
      ...["portal link: revoked 1", "portal session: revoked 1"],
    ].sort(),
  );
  const kindsOf: Record<Operation["keyClass"], string> = {
    ...{ organisation: "key", platform: "platform key", portal_link: "portal link", portal_session: "portal session" },
    ...{
      authorization_code: "authorization code",
      invitation: "invitation link",
      approval: "approval link",
      hook_address: "hook",
      hook: "hook",
    },
  };
  const classes = [...operations, ...pageOperations].map(({ keyClass }) => kindsOf[keyClass]);
  expect(rows.map((row) => row.split(":")[0])).toEqual(expect.arrayContaining([...new Set(classes)]));
});

test("no column has more of a credential than its prefix, nor its digest", async () => {
  await during(async (api) => {
    for (const key of [...every, "hunter2.of-another-service", unknown("bsk").slice(0, -1)])
      await refused(api.call("GET", "/keys", { key }));
  });
  const [stored] = await here.db.sql<{ text: string }>(
    "select string_agg(row::text, ' ') as text from app.refused_credentials row",
  );
  expect(every.length).toBeGreaterThan(10);
  for (const text of every) {
    expect(stored?.text).not.toContain(text.slice(0, 13));
    expect(stored?.text).not.toContain(text.slice(13));
    expect(stored?.text).not.toContain(digestOf(text).toString("hex"));
  }
  expect(stored?.text).not.toContain("hunter2");
});

describe("10,000 invented credentials", () => {
  const pools = () => openApiPools(urlAs("server", here.db.adminUrl, here.db.key));
  const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const flood = (count: number, network: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({
      presented: { text: makeCredential("bsk").text },
      address: network(index),
      ...{ isMisplaced: false, isLimited: false },
    }));
  const total = (rows: Row[]) => rows.reduce((sum, { requests }) => sum + requests, 0);

  test("from one address keep 21 entries, are sent by one statement and stored in 21 rows", async () => {
    const opened = pools();
    const sent: RefusedCredential[][] = [];
    const process = countRefusedCredentials(async (counts) => {
      sent.push(counts);
      await callCounting(opened, "refused_credentials", counts);
    }, silent);
    for (const refusal of flood(10_000, () => "192.0.2.9")) process.note(refusal);
    await process.stop();
    await opened.close();
    expect(sent.map((counts) => counts.length)).toEqual([21]);
    const rows = await recorded();
    expect(rows).toHaveLength(21);
    expect(total(rows)).toBe(10_000);
    expect(rows.filter(({ prefix }) => prefix === null)).toMatchObject([{ reason: "not looked up", requests: 9_980 }]);
  });

  test("from 10,000 addresses, in many flushes of two processes, are stored in 500 rows and the rest", async () => {
    const opened = [pools(), pools()];
    const at = Date.UTC(2026, 0, 5, 10);
    const processes = opened.map((each) =>
      countRefusedCredentials((counts) => callCounting(each, "refused_credentials", counts), silent, { now: () => at }),
    );
    const refusals = flood(10_000, addressOf);
    for (let begin = 0; begin < refusals.length; begin += 1_000) {
      for (const [index, refusal] of refusals.slice(begin, begin + 1_000).entries())
        processes[index % 2]?.note(refusal);
      await Promise.all(processes.map((process) => process.flush()));
    }
    const rows = await recorded();
    expect(rows.filter(({ address }) => address !== null)).toHaveLength(500);
    expect(rows.filter(({ address }) => address === null)).toMatchObject([{ reason: "unknown", requests: 9_500 }]);

    // A key that exists still gets a row of its own.
    const ada = await here.owner();
    await here.db.sql("update app.api_keys set revoked_at = now() where id = $1", [ada.key.id]);
    for (const process of processes)
      process.note({ presented: { text: ada.key.text }, address: "192.0.2.1", isMisplaced: false, isLimited: false });
    await Promise.all(processes.map((process) => process.stop()));
    await Promise.all(opened.map((each) => each.close()));
    expect(await recorded("reason = 'revoked'")).toMatchObject([{ prefix: prefixOf(ada.key), requests: 2 }]);
  });

  test("take at most 1,000 entries and the rest while the database is away, and lose no count", async () => {
    let isAway = true;
    let sent: RefusedCredential[] = [];
    const process = countRefusedCredentials(async (counts) => {
      if (isAway) throw new Error("away");
      sent = counts;
    }, silent);
    for (const refusal of flood(5_000, addressOf)) process.note(refusal);
    await process.flush();
    for (const refusal of flood(5_000, addressOf)) process.note(refusal);
    isAway = false;
    await process.stop();
    expect(sent.length).toBeLessThanOrEqual(1_001);
    expect(sent.reduce((sum, { requests }) => sum + requests, 0)).toBe(10_000);
  });
});

test("refusals by the rate limit of an address are recorded too, and a live key that met it is not", async () => {
  const limiter = makeRateLimiter(() => 0, { ...specified, address: 3 });
  const keys = Array.from({ length: 6 }, () => unknown("bsk"));
  await during(
    async (api) => {
      const statuses = [];
      for (const key of keys) statuses.push((await api.call("GET", "/bots", { key })).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    },
    {},
    limiter,
  );
  expect((await recorded()).map(({ prefix }) => prefix)).toEqual(keys.map((text) => text.slice(0, 12)).sort());
  const at = await hook();
  const reader = await here.another(at.ada, "read");
  const opened = openApiPools(urlAs("server", here.db.adminUrl, here.db.key));
  const process = countRefusedCredentials((counts) => callCounting(opened, "refused_credentials", counts), silent);
  for (const presented of [{ text: at.ada.key.text }, { text: reader.key.text }, { hookId: at.id }]) {
    process.note({ presented, address: "192.0.2.1", isMisplaced: false, isLimited: true });
  }
  await process.stop();
  await opened.close();
  expect(await recorded("address = '192.0.2.1'")).toMatchObject([{ kind: "hook", reason: "not looked up" }]);
});

test("an address of IPv6 is stored as its network", async () => {
  const forwarded = (address: string) => ({ key: makeCredential("bsk").text, headers: { "x-forwarded-for": address } });
  await during(
    async (api) => {
      for (const address of ["2001:db8:1:2:3::4", "2001:db8:1:2:9::9"])
        await refused(api.call("GET", "/bots", forwarded(address)));
    },
    { TRUSTED_PROXIES: "127.0.0.1" },
  );
  expect(new Set((await recorded()).map(({ address }) => address))).toEqual(new Set(["2001:db8:1:2::"]));
});

test("the worker deletes refused credentials after 30 days, and none younger", async () => {
  await here.db.sql(
    `insert into app.refused_credentials
     select date_trunc('hour', now(), 'UTC') - days * interval '1 day', '192.0.2.1', gen_random_uuid(), '', 'key', 'revoked', 1, now(), now()
     from generate_series(28, 32) days`,
  );
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => (await recorded()).length === 2);
  } finally {
    await worker.stop();
  }
});
