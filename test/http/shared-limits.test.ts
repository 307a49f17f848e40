/**
 * Rate limits shared by all processes (RATE_LIMITS=shared), with a database clock that the test sets. Two API processes
 * run as in production, and callers use both at once. (docs/decisions/0015-rate-limits.md)
 */
import { readConfig } from "../../src/config.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { expectRefusal, rateLimitsOf } from "../support/answers.ts";
import { callerOf, type Reply, type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Caller, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { killPrograms, runApi } from "../support/program.ts";
import { signed } from "../support/sign.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const { hook, send } = hookInbox(here);
/** `near` runs in this process; `far` calls two separate processes. */
let near: TestApi;
let far: TestApi["call"][];

async function startFar() {
  const port = String(await freePort());
  const program = await runApi({
    ...{ DATABASE_URL: here.db.adminUrl, MASTER_KEY: here.db.masterKey, RATE_LIMITS: "shared" },
    ...{ PORT: port, LOG_LEVEL: "silent" },
  });
  return { program, call: callerOf(`http://127.0.0.1:${port}`) };
}

beforeAll(async () => {
  near = await testApi(here.db, { RATE_LIMITS: "shared" }, makeRateLimiter());
  far = (await Promise.all([1, 2].map(startFar))).map(({ call }) => call);
});
afterAll(async () => {
  await killPrograms();
  await near?.stop();
});

let minute = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const setClock = (at: number) =>
  here.db.sql(
    `create or replace function limits.clock() returns timestamptz language sql
     as $$ select '${new Date(at).toISOString()}'::timestamptz $$`,
  );
beforeEach(async () => {
  minute += 600_000;
  await setClock(minute);
});

const me = (who: Caller, call = near.call) => call("GET", "/me", { key: who.key.text });

/** Makes this many calls from forty concurrent callers, alternating between the two processes. */
async function crowd(times: number, ask: (call: TestApi["call"], number: number) => Promise<Reply>): Promise<Reply[]> {
  const answers: Promise<Reply>[] = [];
  const caller = async (_: unknown, index: number) => {
    while (answers.length < times) {
      const number = answers.length;
      const answer = ask(far[index % 2] as TestApi["call"], number);
      answers.push(answer);
      await answer;
    }
  };
  await Promise.all(Array.from({ length: 40 }, caller));
  return Promise.all(answers);
}

const statuses = (answers: Reply[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
/** The remaining requests in the header, of the first rate limit or the second. */
const left = (reply: Reply, place: 0 | 1) =>
  Number([...(reply.headers.get("ratelimit") ?? "").matchAll(/;r=(\d+)/g)][place]?.[1]);
const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);
const counts = async ({ organisation }: Member) =>
  here.db.sql<{ counted_id: string; requests: number }>(
    "select counted_id, requests from app.request_counts where organisation_id = $1 order by requests desc",
    [organisation.id],
  );

/** Sets the number of requests that the key has made in this minute. */
async function spent(who: Member, requests: number): Promise<void> {
  await me(who);
  await here.db.sql("update app.request_counts set requests = $2 where organisation_id = $1", [
    who.organisation.id,
    requests,
  ]);
}

test("A key has 300 requests a minute over two processes, each counted once", async () => {
  const ada = await here.owner();
  const answers = await crowd(380, (call, number) =>
    number % 10 === 0 ? call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" } }) : me(ada, call),
  );
  const admitted = answers.filter(({ status }) => status < 300);
  expect(admitted.map((answer) => left(answer, 0)).toSorted((a, b) => b - a)).toEqual(downFrom(300));
  expect(admitted.map((answer) => left(answer, 1)).toSorted((a, b) => b - a)).toEqual(downFrom(1000).slice(0, 300));
  const refused = answers.filter(({ status }) => status >= 300);
  expect(refused).toHaveLength(80);
  for (const answer of refused) {
    expectRefusal(answer, "rate_limited");
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(rateLimitsOf(answer)).toEqual([
      '"key";q=300;w=60, "organisation";q=1000;w=60',
      '"key";r=0;t=60, "organisation";r=700;t=60',
    ]);
  }
  const made = admitted.filter(({ status }) => status === 201);
  const [bots] = await here.db.sql<{ n: number }>(
    "select count(*)::int as n from app.bots where organisation_id = $1",
    [ada.organisation.id],
  );
  expect(bots?.n).toBe(made.length); // refused requests had no effect

  await setClock(minute + 60_000);
  expect(left(await me(ada), 0)).toBe(299);
  expect(await counts(ada)).toHaveLength(2); // the same two rows are used again
});

test("An organisation has 1,000 requests a minute over all keys, and its refusals do not count for the key", async () => {
  const ada = await here.owner("read");
  const keys = [ada, ...(await Promise.all([1, 2, 3].map(() => here.another(ada, "read"))))];
  const answers = await crowd(1100, (call, number) => me(keys[number % 4] as Member, call));
  expect(statuses(answers)).toEqual({ 200: 1000, 429: 100 });
  const admitted = answers.filter(({ status }) => status === 200);
  expect(admitted.map((answer) => left(answer, 1)).toSorted((a, b) => b - a)).toEqual(downFrom(1000));
  const [whole, ...ofKeys] = await counts(ada);
  expect(whole).toEqual({ counted_id: ada.organisation.id, requests: 1000 });
  expect(ofKeys.reduce((sum, { requests }) => sum + requests, 0)).toBe(1000);
  const eve = await here.owner("read");
  expect((await me(eve)).status).toBe(200);
});

test("Requests that arrive together are counted together, with the totals, refusals and 401 of each alone", async () => {
  const [ada, eve, ...others] = (await Promise.all(Array.from({ length: 8 }, () => here.owner("read")))) as [
    Member,
    Member,
    ...Member[],
  ];
  const second = await here.another(ada, "read");
  const unknown = { ...ada, key: { ...ada.key, text: makeCredential("bsk").text } };
  const by = far[1];
  await spent(eve, 295);
  for (const who of [ada, second, ...others]) await me(who, by);
  const answers = await Promise.all([ada, second, second, ...others].map((who) => me(who, by)));
  const keys = [ada, second, ...others].map(({ key }) => key.id);
  const [written] = await here.db.sql<{ transactions: number }>(
    "select count(distinct xmin::text)::integer as transactions from app.request_counts where counted_id = any($1)",
    [keys],
  );
  expect(written?.transactions).toBeLessThan(keys.length);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.map((answer) => left(answer, 0)).toSorted((a, b) => a - b)).toEqual([297, ...keys.map(() => 298)]);
  expect(
    answers
      .slice(0, 3)
      .map((answer) => left(answer, 1))
      .toSorted((a, b) => b - a),
  ).toEqual([997, 996, 995]);

  const mixed = await Promise.all([unknown, ada, ...Array(7).fill(eve)].map((who) => me(who, by)));
  expect(mixed.slice(0, 2).map(({ status }) => status)).toEqual([401, 200]);
  expect(statuses(mixed.slice(2))).toEqual({ 200: 5, 429: 2 });
  expect(await counts(eve)).toEqual(
    [eve.organisation.id, eve.key.id].toSorted().map(() => expect.objectContaining({ requests: 300 })),
  );
});

test("While the counts of one organisation are locked, other organisations are served", async () => {
  const [ada, eve] = [await here.owner("read"), await here.owner("read")];
  for (const who of [ada, eve]) await me(who);
  const holder = await begun(here.db, "owner");
  await holder.query("select from app.request_counts where organisation_id = $1 for update", [ada.organisation.id]);
  const waits = me(ada);
  await eventually(async () => (await lockWaits(here.db)) === 1);
  const served = await Promise.all([eve, eve, eve].map((who) => me(who)));
  expect(served.map((answer) => left(answer, 0)).toSorted((a, b) => b - a)).toEqual([298, 297, 296]);
  await eventually(async () => (await lockWaits(here.db)) === 1); // the other one still waits, now alone
  await holder.query("rollback");
  expect(left(await waits, 0)).toBe(298);
});

test("A credential that one request may not use counts in no group of requests either", async () => {
  const reader = await here.owner("read");
  const person = await makeMember(here.db, reader.organisation.id, "admin");
  const [revoked, expired] = [await here.another(reader, "read"), await here.another(reader, "read")];
  const members = [reader, revoked, expired, await here.another(reader, "read", person)];
  await here.db.sql("update app.api_keys set revoked_at = now() where id = $1", [revoked.key.id]);
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [expired.key.id]);
  await here.db.sql("update app.memberships set role = 'member' where person_id = $1", [person]);
  const cases = [
    ...members.map(({ key }) => [key.digest, "get_me"]),
    [reader.key.digest, "create_bot"],
    [makeCredential("bsk").digest, "get_me"],
  ];
  const [digests, operations] = [cases.map(([digest]) => digest), cases.map(([, operation]) => operation)];
  const server = here.db.poolAs("server", 1);
  const alone: unknown[] = [];
  for (const one of cases) {
    const { rows } = await server.query("select api.count_request($1, $2, 1, '{300,1000}') ->> 'keyId' as key", one);
    alone.push(rows[0]?.key ?? null);
  }
  expect(alone).toEqual([reader.key.id, null, null, null, null, null]);
  const { rows } = await server.query(
    "select api.count_requests($1, $2, array_fill(1, array[$3::integer]), '{300,1000}') -> 'keys' as keys",
    [digests, operations, cases.length],
  );
  expect(rows).toEqual([{ keys: alone }]);
});

test("A process that is killed in the middle of its calls leaves counts that are exact for the others", async () => {
  const ada = await here.owner("read");
  const { program, call } = await startFar();
  const both = far;
  try {
    far = [call, both[1] as TestApi["call"]];
    const killed = crowd(340, (by) =>
      me(ada, by).catch(() => ({ status: 0, headers: new Headers(), body: {}, text: "" }) as unknown as Reply),
    );
    await eventually(async () => ((await counts(ada))[0]?.requests ?? 0) > 40);
    await program.kill();
    const served = statuses(await killed)[200] ?? 0;
    const [, ofKey] = (await counts(ada)) as [unknown, { requests: number }];
    expect(served).toBeLessThanOrEqual(ofKey.requests);
    expect(left(await me(ada), 0)).toBe(Math.max(299 - ofKey.requests, 0));
  } finally {
    far = both;
  }
});

test("While sessions of the API are lost, no request passes uncounted, and later ones succeed", async () => {
  const ada = await here.owner("read");
  const answers = crowd(280, (call) => me(ada, call));
  await eventually(async () => ((await counts(ada))[0]?.requests ?? 0) > 40);
  await here.db.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'server' and datname = current_database()",
  );
  const { 200: served = 0, ...others } = statuses(await answers);
  expect(Object.keys(others).filter((status) => status !== "503")).toEqual([]);
  const [, ofKey] = (await counts(ada)) as [unknown, { requests: number }];
  expect(served).toBeLessThanOrEqual(ofKey.requests);
  expect(ofKey.requests).toBeLessThanOrEqual(280);
  expect(left(await me(ada), 0)).toBe(299 - ofKey.requests);
});

test("A platform key has 60 requests a minute, and so has a hook, with any body", async () => {
  const operator = await here.platform();
  const list = (call: TestApi["call"]) => call("GET", "/platform/organisations?limit=1", { key: operator.key.text });
  const listed = await crowd(80, list);
  expect(statuses(listed)).toEqual({ 200: 60, 429: 20 });
  expect(rateLimitsOf(await list(near.call))).toEqual(['"platform-key";q=60;w=60', '"platform-key";r=0;t=60']);

  const at = await hook();
  await setLimits(here.db, at.ada.organisation.id, { webhookStartsPerHour: 1000 });
  const posted = await crowd(80, (call, number) =>
    send(at, signed(at.secret, number % 8 ? "" : `Hello ${number}`), { ...near, call }),
  );
  expect(statuses(posted)).toEqual({ 202: expect.any(Number), 400: expect.any(Number), 429: 20 });
  const refused = posted.find(({ status }) => status === 429) as Reply;
  expectRefusal(refused, "rate_limited");
  expect(rateLimitsOf(refused)).toEqual(['"hook";q=60;w=60', '"hook";r=0;t=60']);
  expect(left(await me(at.ada), 0)).toBe(299); // the limit of the organisation's keys is separate
});

test("A batch consumes the number of its operations, or nothing", async () => {
  const ada = await here.owner();
  const operations = Array.from({ length: 50 }, () => ({ method: "GET", path: "/me" }));
  const batch = (call: TestApi["call"]) => call("POST", "/batch", { key: ada.key.text, body: { operations } });
  const answers = await crowd(12, batch);
  expect(statuses(answers)).toEqual({ 200: 6, 429: 6 });
  await setClock(minute + 60_000);
  await spent(ada, 260);
  const refused = await batch(near.call);
  expectRefusal(refused, "rate_limited");
  expect(left(refused, 0)).toBe(40);
  expect(left(await me(ada), 0)).toBe(39);
});

test("The credential is checked before the rate limit; unauthenticated requests count by address in each process", async () => {
  const ada = await here.owner("read");
  await spent(ada, 300);
  expectRefusal(await me(ada), "rate_limited");
  expectRefusal(await near.call("PUT", "/me", { key: ada.key.text }), "rate_limited");
  const beyond = () => near.call("GET", "/keys", { key: ada.key.text });
  expectRefusal(await beyond(), "unauthenticated"); // the key's scope does not allow this route
  await here.db.sql("update app.api_keys set revoked_at = now() where id = $1", [ada.key.id]);
  const before = await here.db.sql("select * from app.request_counts order by counted_id");
  const ways = [() => me(ada), () => near.call("GET", "/me", { key: makeCredential("bsk").text }), beyond];
  const answers: Reply[] = [];
  for (let number = 0; number < 62; number += 1) answers.push((await ways[number % 3]?.()) as Reply);
  expect(statuses(answers)).toEqual({ 401: 59, 429: 3 });
  expect(await here.db.sql("select * from app.request_counts order by counted_id")).toEqual(before);
  expectRefusal(await me(ada, far[0]), "unauthenticated"); // each process counts addresses for itself
});

test("A suspended organisation gets 403 until its rate limit is exhausted, then 429", async () => {
  const ada = await here.owner("read");
  await here.db.sql("update app.organisations set suspended_at = now() where id = $1", [ada.organisation.id]);
  await spent(ada, 280);
  expect(statuses(await crowd(30, (call) => me(ada, call)))).toEqual({ 403: 20, 429: 10 });
});

test("A rate-limited request is not stored, and a replay counts as a request", async () => {
  const ada = await here.owner();
  const make = () => near.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" }, idempotencyKey: "once" });
  await spent(ada, 300);
  expectRefusal(await make(), "rate_limited");
  await setClock(minute + 60_000);
  const made = await make();
  expect([made.status, made.headers.get("idempotent-replayed"), left(made, 0)]).toEqual([201, null, 299]);
  const again = await make();
  expect([again.text, again.headers.get("idempotent-replayed"), left(again, 0)]).toEqual([made.text, "true", 298]);
});

test("A request that waits for a lock is counted and does not block other requests of the key", async () => {
  const ada = await here.owner();
  const { id } = (await near.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" } })).body;
  const holder = await here.db.poolAs("owner", 1).connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.bots where id = $1 for update", [id]);
    const waits = near.call("PATCH", `/bots/${id}`, { key: ada.key.text, body: { name: "Guide" } });
    await eventually(async () => (await lockWaits(here.db)) === 1);
    expect(left(await me(ada, far[0]), 0)).toBe(297);
    expect(left(await near.call("POST", "/bots", { key: ada.key.text, body: { name: "Eve" } }), 0)).toBe(296);
    await holder.query("rollback");
    const answered = await waits;
    expect([answered.status, left(answered, 0)]).toEqual([200, 298]);
  } finally {
    holder.release();
  }
});

test("A waiting read counts once and returns the remaining requests of its start", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, here.db.poolAs("runner"), ada);
  const waiting = near.call("GET", `/runs/${run.id}?wait=25`, { key: ada.key.text });
  await eventually(async () => (await counts(ada)).length === 2);
  expect(left(await me(ada), 0)).toBe(298);
  await run.executor.finish(await run.begin());
  const answered = await waiting;
  expect([answered.status, left(answered, 0)]).toEqual([200, 298]);
  expect(left(await me(ada), 0)).toBe(297);
});

test("Counts never return to an earlier minute, and a clock set back by an hour starts again", async () => {
  const ada = await here.owner();
  await setClock(minute + 59_999);
  const last = await me(ada);
  expect(rateLimitsOf(last)[1]).toBe('"key";r=299;t=1, "organisation";r=999;t=1');
  await setClock(minute + 60_000);
  expect(rateLimitsOf(await me(ada))[1]).toBe('"key";r=299;t=60, "organisation";r=999;t=60');
  await setClock(minute + 59_999); // like a request that read the clock before it waited for the row
  expect(left(await me(ada), 0)).toBe(298);
  await setClock(minute + 60_000);
  expect(left(await me(ada), 0)).toBe(297);
  await setClock(minute - 3_600_000);
  expect(left(await me(ada), 0)).toBe(299);
});

test("While the counts are locked, requests return 503 without effect, and succeed afterwards", async () => {
  const ada = await here.owner();
  const make = () => near.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" } });
  const holder = await here.db.poolAs("owner", 1).connect();
  try {
    await holder.query("begin; lock table app.request_counts in exclusive mode");
    const began = performance.now();
    const refused = await Promise.all([make(), me(ada)]);
    expect(performance.now() - began).toBeLessThan(5_000);
    for (const answer of refused) expectRefusal(answer, "unavailable");
    await holder.query("rollback");
  } finally {
    holder.release();
  }
  expect(await counts(ada)).toEqual([]);
  expect((await near.call("GET", "/bots", { key: ada.key.text })).body.data).toEqual([]);
  expect(left(await make(), 0)).toBe(298);
});

test("RATE_LIMITS is process or shared, and defaults to process", () => {
  expect(readConfig({}).rateLimits).toBe("process");
  expect(() => readConfig({ RATE_LIMITS: "exact" })).toThrow("RATE_LIMITS must be process or shared.");
});

test("A mailed link has 60 requests a minute over all processes", async () => {
  const ada = await here.owner();
  await ada.post("/invitations", { email: "grace@example.test", role: "member" });
  const { text: token, digest } = makeCredential("bsi");
  await here.db.sql("update app.invitations set token_digest = $1 where organisation_id = $2", [
    digest,
    ada.organisation.id,
  ]);
  const page = () => fetch(`${near.url}/invitation/${token}`).then(({ status }) => status);
  for (let number = 0; number < 60; number += 1) expect(await page()).toBe(200);
  expect(await page()).toBe(429);
});
