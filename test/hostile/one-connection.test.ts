/**
 * Two organisations share one connection. Each call is a transaction that sets its own identity. No state of a previous
 * call remains, whether it succeeded, was refused, failed or was cancelled.
 */
import { Agent } from "undici";
import type { ApiPools } from "../../src/database/connections/api-pools.ts";
import { openPipelinedPool } from "../../src/database/connections/pipelined-pool.ts";
import type { PipelinedPool } from "../../src/database/connections/pool.ts";
import { urlAs } from "../../src/database/urls.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeContractFixture } from "../contract/fixture.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { makeExecutor, makeKey, type TestDatabase, testDatabase } from "../support/database.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { ask, count, kinds, leaked, type Tenant } from "./one-connection-calls.ts";

const calls = howMany(1_500, 10_000);
/** Calls in one transaction, of both organisations. */
const together = 6;

let db: TestDatabase;
let api: TestApi;
let pool: PipelinedPool;
/** For the calls of a transaction that was undone. */
let alone: PipelinedPool;
let pools: ApiPools;
let tenants: [Tenant, Tenant];

beforeAll(async () => {
  db = await testDatabase();
  api = await testApi(db, {}, unlimitedBuckets());
  await makeExecutor(db);
  const settings = { connectionString: urlAs("server", db.adminUrl, db.key), application_name: "one connection" };
  const size = { connections: 1, callsPerTransaction: together };
  alone = openPipelinedPool({ ...settings, application_name: "alone" }, { ...size, callsPerTransaction: 1 });
  pool = openPipelinedPool(settings, size, alone);
  const one: PipelinedPool = {
    ...pool,
    query: (statement, values) => pool.query(statement, values, { group: "all" }),
  };
  pools = {
    ...{ point: one, lists: one, writes: one, pooled: one, counts: one },
    pools: {} as never,
    replica: undefined,
    close: pool.close,
  };
  tenants = [await tenant("heron"), await tenant("osprey")];
});
afterAll(async () => {
  await pool?.close();
  await alone?.close();
  await api?.stop();
  await db?.drop();
});

/** Every text of the organisation contains its mark. */
async function tenant(mark: string): Promise<Tenant> {
  const organisation = await makeContractFixture(db, api);
  await organisation.as("PATCH", "/organisation", { name: mark });
  const bot = (await organisation.as("POST", "/bots", { name: mark, instructions: mark })).body.id;
  await organisation.as("POST", "/memories", { scope: "organisation", kind: mark, subject: mark, value: mark });
  const key = await makeKey(db, organisation.organisationId, await organisation.row("owner"), "admin");
  return { mark, organisationId: organisation.organisationId, key, bot, memories: [] };
}

const sortedEntries = (row: object) => Object.entries(row).sort(([one], [other]) => one.localeCompare(other));

const sessions = () =>
  db.sql<{ pid: number }>("select pid from pg_stat_activity where application_name = 'one connection'");

test("a PostgreSQL connection shared by two organisations shows neither the data of the other", async () => {
  await ask(pools, tenants[0], "get_me");
  const [session] = await sessions();
  const faults: string[] = [];
  let carriedOut = 0;
  let turn = 0;
  async function caller(first: number): Promise<void> {
    while (turn < calls) {
      turn += 1;
      const now = turn;
      const [mine, theirs] = (now + first) % 2 === 0 ? tenants : ([tenants[1], tenants[0]] as const);
      const kind = kinds[(now * 7 + (now >> 4)) % kinds.length];
      // A cancellation between two statements has no effect.
      if (now % 40 === 0 || (now > calls / 2 && count.cancelled === 0))
        await db.sql("select pg_cancel_backend($1)", [session?.pid]);
      const fault = await kind?.call(pools, mine, theirs, now);
      if (fault) faults.push(`${kind?.name}, call ${now}: ${fault}`);
      else carriedOut += 1;
    }
  }
  await Promise.all(Array.from({ length: together * 2 }, (_, first) => caller(first)));
  const after = await sessions();

  const acknowledged = tenants.flatMap(({ memories, organisationId }) =>
    memories.map(({ subject }) => ({ subject, organisationId })),
  );
  const kept = await db.sql<{ subject: string; organisationId: string }>(
    `select subject, organisation_id as "organisationId" from app.memories where kind = any ($1) and subject <> kind`,
    [tenants.map(({ mark }) => mark)],
  );
  const logged = await db.sql<object>(
    `select memory.subject, entry.request_id as "requestId", entry.key_id as "keyId", entry.organisation_id as "organisationId"
     from app.audit_log entry join app.memories memory on memory.id = entry.resource_id
     where entry.action = 'created' and memory.subject = any ($1) order by entry.id`,
    [acknowledged.map(({ subject }) => subject)],
  );
  const key = (each: { subject: string; organisationId: string }) => `${each.organisationId} ${each.subject}`;
  const keptKeys = kept.map(key);
  const lost = acknowledged.filter((each) => !keptKeys.includes(key(each)));
  const unasked = kept.filter((each) => !acknowledged.map(key).includes(key(each)));
  reportCounts("PostgreSQL connection shared by two organisations", {
    acknowledged: carriedOut,
    lost: lost.length,
    doubled: kept.length - new Set(keptKeys).size,
    unexpected: faults.length + unasked.length,
    note: `${calls} calls; ${count.refused} refused, ${count.failed} failed, ${count.cancelled} cancelled`,
  });
  expect(faults.slice(0, 10)).toEqual([]);
  expect([lost, unasked]).toEqual([[], []]);
  expect(new Set(keptKeys).size).toBe(kept.length);
  // Each entry names the call that made it, and not a later call of its transaction.
  const written = tenants.flatMap(({ memories, organisationId, key: { id: keyId } }) =>
    memories.map((memory) => ({ ...memory, keyId, organisationId })),
  );
  expect(new Set(logged.map((each) => JSON.stringify(sortedEntries(each))))).toEqual(
    new Set(written.map((each) => JSON.stringify(sortedEntries(each)))),
  );
  expect(logged).toHaveLength(written.length);
  const chains = tenants.map(({ organisationId }) => db.sql("select * from audit.verify_chain($1)", [organisationId]));
  expect(await Promise.all(chains)).toEqual([[], []]);
  expect(after).toEqual([session]); // still the same session
  expect(acknowledged.length).toBeGreaterThan(calls / 15);
  expect(count.failed).toBeGreaterThan(calls / 15);
  expect(count.cancelled).toBeGreaterThan(0);
});

test("an HTTP connection with alternating credentials returns the data of each request's credential", async () => {
  const agent = new Agent({ connections: 1, pipelining: together });
  const faults: string[] = [];
  let carriedOut = 0;
  const paths = (mine: Tenant, theirs: Tenant): [path: string, status: number][] => [
    ["/organisation", 200],
    [`/bots/${mine.bot}`, 200],
    [`/bots/${theirs.bot}`, 404],
    ["/memories?limit=3", 200],
    ["/memories?limit=no", 400],
  ];
  async function call(turn: number): Promise<void> {
    const [mine, theirs] = turn % 2 === 0 ? tenants : ([tenants[1], tenants[0]] as const);
    const all = paths(mine, theirs);
    const [path, status] = all[turn % all.length] as [string, number];
    const nobody = turn % 11 === 0;
    const bearer = nobody ? makeCredential("bsk").text : mine.key.text;
    const headers = { authorization: `Bearer ${bearer}` };
    const answer = await agent.request({ origin: api.url, path: `/api/v1${path}`, method: "GET", headers });
    const text = await answer.body.text();
    const wanted = nobody ? 401 : status;
    if (answer.statusCode !== wanted) faults.push(`${path}: ${answer.statusCode} and not ${wanted}`);
    else if (leaked(text, theirs)) faults.push(`${path} shows what is another's: ${text.slice(0, 200)}`);
    else if (wanted === 200 && !text.includes(mine.mark)) faults.push(`${path} does not show its own`);
    else carriedOut += 1;
  }
  try {
    for (let turn = 0; turn < calls; turn += together) {
      await Promise.all(Array.from({ length: together }, (_, each) => call(turn + each)));
    }
  } finally {
    await agent.close();
  }
  reportCounts("HTTP connection shared by two credentials", {
    acknowledged: carriedOut,
    lost: 0,
    doubled: 0,
    unexpected: faults.length,
    note: `${calls} calls`,
  });
  expect(faults).toEqual([]);
});
