/** Rate limits shared by all processes, RATE_LIMITS=shared. (docs/decisions/0013-rate-limits.md) */
import { readConfig } from "../../src/config.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { expectRefusal, rateLimitsOf } from "../support/answers.ts";
import type { Reply, TestApi } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { allLeft, left, sharedLimitsOf, statuses } from "../support/shared-limits.ts";
import { signed } from "../support/sign.ts";
import { watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const at = sharedLimitsOf(here);
const { hook, send } = hookInbox(here);

const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);

test("A key has 300 requests a minute over two processes, each counted once", async () => {
  const ada = await here.owner();
  const answers = await at.crowd(380, (call, number) =>
    number % 10 === 0 ? call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" } }) : at.me(ada, call),
  );
  const admitted = answers.filter(({ status }) => status < 300);
  expect(allLeft(admitted, 0)).toEqual(downFrom(300));
  expect(allLeft(admitted, 1)).toEqual(downFrom(1000).slice(0, 300));
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

  await at.setClock(at.minute + 60_000);
  expect(left(await at.me(ada), 0)).toBe(299);
  expect(await at.counts(ada)).toHaveLength(2); // the same two rows are used again
});

test("An organisation has 1,000 requests a minute over all keys, and its refusals do not count for the key", async () => {
  const ada = await here.owner("read");
  const keys = [ada, ...(await Promise.all([1, 2, 3].map(() => here.another(ada, "read"))))];
  const answers = await at.crowd(1100, (call, number) => at.me(keys[number % 4] as Member, call));
  expect(statuses(answers)).toEqual({ 200: 1000, 429: 100 });
  const admitted = answers.filter(({ status }) => status === 200);
  expect(allLeft(admitted, 1)).toEqual(downFrom(1000));
  const [whole, ...ofKeys] = await at.counts(ada);
  expect(whole).toEqual({ counted_id: ada.organisation.id, requests: 1000 });
  expect(ofKeys.reduce((sum, { requests }) => sum + requests, 0)).toBe(1000);
  const eve = await here.owner("read");
  expect((await at.me(eve)).status).toBe(200);
});

test("Requests that arrive together are counted together, with the totals, refusals and 401 of each alone", async () => {
  const [ada, eve, ...others] = (await Promise.all(Array.from({ length: 8 }, () => here.owner("read")))) as [
    Member,
    Member,
    ...Member[],
  ];
  const second = await here.another(ada, "read");
  const unknown = { ...ada, key: { ...ada.key, text: makeCredential("bsk").text } };
  const by = at.far[1];
  await at.spend(eve, 295);
  for (const who of [ada, second, ...others]) await at.me(who, by);
  const answers = await Promise.all([ada, second, second, ...others].map((who) => at.me(who, by)));
  const keys = [ada, second, ...others].map(({ key }) => key.id);
  const [written] = await here.db.sql<{ transactions: number }>(
    "select count(distinct xmin::text)::integer as transactions from app.request_counts where counted_id = any($1)",
    [keys],
  );
  expect(written?.transactions).toBeLessThan(keys.length);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(allLeft(answers, 0)).toEqual([...keys.map(() => 298), 297]);
  expect(allLeft(answers.slice(0, 3), 1)).toEqual([997, 996, 995]);

  const mixed = await Promise.all([unknown, ada, ...Array(7).fill(eve)].map((who) => at.me(who, by)));
  expect(mixed.slice(0, 2).map(({ status }) => status)).toEqual([401, 200]);
  expect(statuses(mixed.slice(2))).toEqual({ 200: 5, 429: 2 });
  expect(await at.counts(eve)).toEqual(
    [eve.organisation.id, eve.key.id].toSorted().map(() => expect.objectContaining({ requests: 300 })),
  );
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

test("A platform key has 60 requests a minute, and so has a hook, with any body", async () => {
  const operator = await here.platform();
  const list = (call: TestApi["call"]) => call("GET", "/platform/organisations?limit=1", { key: operator.key.text });
  const listed = await at.crowd(80, list);
  expect(statuses(listed)).toEqual({ 200: 60, 429: 20 });
  expect(rateLimitsOf(await list(at.near.call))).toEqual(['"platform-key";q=60;w=60', '"platform-key";r=0;t=60']);

  const inbox = await hook();
  await setLimits(here.db, inbox.ada.organisation.id, { webhookStartsPerHour: 1000 });
  const posted = await at.crowd(80, (call, number) =>
    send(inbox, signed(inbox.secret, number % 8 ? "" : `Hello ${number}`), { ...at.near, call }),
  );
  expect(statuses(posted)).toEqual({ 202: expect.any(Number), 400: expect.any(Number), 429: 20 });
  const refused = posted.find(({ status }) => status === 429) as Reply;
  expectRefusal(refused, "rate_limited");
  expect(rateLimitsOf(refused)).toEqual(['"hook";q=60;w=60', '"hook";r=0;t=60']);
  expect(left(await at.me(inbox.ada), 0)).toBe(299); // the limit of the organisation's keys is separate
});

test("A batch consumes the number of its operations, or nothing", async () => {
  const ada = await here.owner();
  const operations = Array.from({ length: 50 }, () => ({ method: "GET", path: "/me" }));
  const batch = (call: TestApi["call"]) => call("POST", "/batch", { key: ada.key.text, body: { operations } });
  const answers = await at.crowd(12, batch);
  expect(statuses(answers)).toEqual({ 200: 6, 429: 6 });
  await at.setClock(at.minute + 60_000);
  await at.spend(ada, 260);
  const refused = await batch(at.near.call);
  expectRefusal(refused, "rate_limited");
  expect(left(refused, 0)).toBe(40);
  expect(left(await at.me(ada), 0)).toBe(39);
});

test("The credential is checked before the rate limit; unauthenticated requests count by address in each process", async () => {
  const ada = await here.owner("read");
  await at.spend(ada, 300);
  expectRefusal(await at.me(ada), "rate_limited");
  expectRefusal(await at.near.call("PUT", "/me", { key: ada.key.text }), "rate_limited");
  const beyond = () => at.near.call("GET", "/keys", { key: ada.key.text });
  expectRefusal(await beyond(), "unauthenticated"); // the key's scope does not allow this route
  await here.db.sql("update app.api_keys set revoked_at = now() where id = $1", [ada.key.id]);
  const before = await here.db.sql("select * from app.request_counts order by counted_id");
  const ways = [() => at.me(ada), () => at.near.call("GET", "/me", { key: makeCredential("bsk").text }), beyond];
  const answers: Reply[] = [];
  for (let number = 0; number < 62; number += 1) answers.push((await ways[number % 3]?.()) as Reply);
  expect(statuses(answers)).toEqual({ 401: 59, 429: 3 });
  expect(await here.db.sql("select * from app.request_counts order by counted_id")).toEqual(before);
  expectRefusal(await at.me(ada, at.far[0]), "unauthenticated"); // each process counts addresses for itself
});

test("A suspended organisation gets 403 until its rate limit is exhausted, then 429", async () => {
  const ada = await here.owner("read");
  await here.db.sql("update app.organisations set suspended_at = now() where id = $1", [ada.organisation.id]);
  await at.spend(ada, 280);
  expect(statuses(await at.crowd(30, (call) => at.me(ada, call)))).toEqual({ 403: 20, 429: 10 });
});

test("A rate-limited request is not stored, and a replay counts as a request", async () => {
  const ada = await here.owner();
  const make = () =>
    at.near.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" }, idempotencyKey: "once" });
  await at.spend(ada, 300);
  expectRefusal(await make(), "rate_limited");
  await at.setClock(at.minute + 60_000);
  const made = await make();
  expect([made.status, made.headers.get("idempotent-replayed"), left(made, 0)]).toEqual([201, null, 299]);
  const again = await make();
  expect([again.text, again.headers.get("idempotent-replayed"), left(again, 0)]).toEqual([made.text, "true", 298]);
});

test("A waiting read counts once and returns the remaining requests of its start", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, here.db.poolAs("runner"), ada);
  const waiting = at.near.call("GET", `/runs/${run.id}?wait=25`, { key: ada.key.text });
  await eventually(async () => (await at.counts(ada)).length === 2);
  expect(left(await at.me(ada), 0)).toBe(298);
  await run.executor.finish(await run.begin());
  const answered = await waiting;
  expect([answered.status, left(answered, 0)]).toEqual([200, 298]);
  expect(left(await at.me(ada), 0)).toBe(297);
});

test("Counts never return to an earlier minute, and a clock set back by an hour starts again", async () => {
  const ada = await here.owner();
  await at.setClock(at.minute + 59_999);
  const last = await at.me(ada);
  expect(rateLimitsOf(last)[1]).toBe('"key";r=299;t=1, "organisation";r=999;t=1');
  await at.setClock(at.minute + 60_000);
  expect(rateLimitsOf(await at.me(ada))[1]).toBe('"key";r=299;t=60, "organisation";r=999;t=60');
  await at.setClock(at.minute + 59_999); // like a request that read the clock before it waited for the row
  expect(left(await at.me(ada), 0)).toBe(298);
  await at.setClock(at.minute + 60_000);
  expect(left(await at.me(ada), 0)).toBe(297);
  await at.setClock(at.minute - 3_600_000);
  expect(left(await at.me(ada), 0)).toBe(299);
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
  const page = () => fetch(`${at.near.url}/invitation/${token}`).then(({ status }) => status);
  for (let number = 0; number < 60; number += 1) expect(await page()).toBe(200);
  expect(await page()).toBe(429);
});
