/** Requests per minute: each is counted once for its organisation, and none is lost in an outage. */
import { pino } from "pino";
import { openApiPools } from "../../src/database/connections/api-pools.ts";
import { urlAs } from "../../src/database/urls.ts";
import { countRequestMinutes, type RequestMinutes } from "../../src/http/limits/request-minutes.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { nowInSeconds, signed } from "../support/sign.ts";
import { lockWaits } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = apiOfFile();
const { hook, send } = hookInbox(here);
const nobody = "00000000-0000-0000-0000-000000000000";

type Counts = Record<"answered" | "refused" | "limited" | "failed", number>;

/** Sums over all minutes, since a test may run across the end of one. */
async function counted(organisation: string): Promise<Counts> {
  const [sums] = await here.db.sql<Counts>(
    `select coalesce(sum(answered), 0)::integer as answered, coalesce(sum(refused), 0)::integer as refused,
       coalesce(sum(limited), 0)::integer as limited, coalesce(sum(failed), 0)::integer as failed
     from app.request_minutes where organisation_id = $1`,
    [organisation],
  );
  return sums as Counts;
}

test("Requests count for the organisation of a valid key, others for no organisation", async () => {
  const roomy = { ...specified, key: 8, address: 100_000 };
  const api = await testApi(here.db, {}, makeRateLimiter(Date.now, roomy));
  const [ada, bob] = [await here.owner(), await here.owner()];
  const ask = (path: string, key?: string) => api.call("GET", path, { key });
  const before = await counted(nobody);
  for (let times = 0; times < 5; times += 1) expect((await ask("/bots", ada.key.text)).status).toBe(200);
  expect((await ask("/bots/none", ada.key.text)).status).toBe(404);
  expect((await ask("/bots?limit=0", ada.key.text)).status).toBe(400);
  expect((await ask("/bots?wait=1&limit=1", ada.key.text)).status).toBe(200);
  expect((await ask("/bots", ada.key.text)).status).toBe(429);
  expect((await ask("/me", bob.key.text)).status).toBe(200);
  expect((await ask("/bots")).status).toBe(401);
  expect((await ask("/bots", `${bob.key.text.slice(0, -1)}_`)).status).toBe(401);
  expect(await counted(ada.organisation.id)).toEqual({ answered: 0, refused: 0, limited: 0, failed: 0 });
  await api.stop(); // stopping flushes the counts
  expect(await counted(ada.organisation.id)).toEqual({ answered: 6, refused: 2, limited: 1, failed: 0 });
  expect(await counted(bob.organisation.id)).toEqual({ answered: 1, refused: 0, limited: 0, failed: 0 });
  const after = await counted(nobody);
  expect(after).toEqual({ ...before, refused: before.refused + 2 });
});

test("Posts to a hook count for its organisation once the signature is valid", async () => {
  const api = await testApi(here.db);
  const at = await hook();
  const before = await counted(nobody);
  expect((await send(at, signed(at.secret, "Hello"), api)).status).toBe(202);
  expect((await send(at, signed(at.secret, "Hello", { at: nowInSeconds() - 3600 }), api)).status).toBe(401);
  await api.stop();
  expect(await counted(at.ada.organisation.id)).toEqual({ answered: 1, refused: 0, limited: 0, failed: 0 });
  expect((await counted(nobody)).refused - before.refused).toBe(1);
});

test("Two processes that flush at once add to the same minute", async () => {
  const [ada, bob] = [await here.owner(), await here.owner()];
  const pools = [1, 2].map(() => openApiPools(urlAs("server", here.db.adminUrl, here.db.key)));
  const processes = pools.map((each) => countRequestMinutes(each, pino({ level: "silent" }), () => 1_800_000_000_000));
  for (let round = 0; round < 20; round += 1) {
    const both = [ada.organisation.id, bob.organisation.id];
    processes.forEach((process, index) => {
      for (const id of index ? both : both.toReversed()) process.note(id, 200);
    });
    await Promise.all(processes.map((process) => process.flush()));
  }
  for (const { organisation } of [ada, bob]) expect((await counted(organisation.id)).answered).toBe(40);
  await Promise.all([...processes.map((process) => process.stop()), ...pools.map((each) => each.close())]);
});

describe("When the database refuses the counts", () => {
  let minutes: RequestMinutes;
  let clock = 1_800_000_000_000;
  const pools: ReturnType<typeof openApiPools>[] = [];
  let said: Record<string, unknown>[];

  beforeEach(() => {
    const opened = openApiPools(urlAs("server", here.db.adminUrl, here.db.key));
    pools.push(opened);
    said = [];
    const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line)) });
    minutes = countRequestMinutes(opened, log, () => clock, 3);
  });

  afterEach(async () => {
    await minutes.stop();
    await Promise.all(pools.splice(0).map((opened) => opened.close()));
  });

  /** Refuses every row until `allow`. */
  const refuse = () => here.db.sql("alter table app.request_minutes add constraint away check (false) not valid");
  const allow = () => here.db.sql("alter table app.request_minutes drop constraint away");

  test("they are kept, added to, and stored once", async () => {
    const { id } = (await here.owner()).organisation;
    await refuse();
    minutes.note(id, 200);
    minutes.note(id, 503);
    await minutes.flush();
    expect(said.map(({ msg }) => msg)).toEqual(["storing request counts failed, will retry"]);
    minutes.note(id, 201);
    clock += 60_000;
    minutes.note(id, 404);
    await allow();
    expect(await counted(id)).toEqual({ answered: 0, refused: 0, limited: 0, failed: 0 });
    await minutes.flush();
    await minutes.flush();
    expect(await counted(id)).toEqual({ answered: 2, refused: 1, limited: 0, failed: 1 });
    expect(await here.db.sql("select from app.request_minutes where organisation_id = $1", [id])).toHaveLength(2);
  });

  test("counting continues during a flush that waits", async () => {
    const { id } = (await here.owner()).organisation;
    const locking = await here.db.poolAs("owner", 1).connect();
    await locking.query("begin; lock table app.request_minutes in access exclusive mode");
    minutes.note(id, 200);
    const handing = minutes.flush();
    await eventually(async () => (await lockWaits(here.db)) > 0);
    minutes.note(id, 200);
    await locking.query("rollback");
    locking.release();
    await handing;
    expect((await counted(id)).answered).toBe(1);
    await minutes.flush();
    expect((await counted(id)).answered).toBe(2);
  });

  test("counts beyond the maximum of organisations are stored for none", async () => {
    const organisations = [await here.owner(), await here.owner(), await here.owner(), await here.owner()];
    const before = await counted(nobody);
    for (const { organisation } of organisations) minutes.note(organisation.id, 200);
    minutes.note(organisations[0]?.organisation.id, 200);
    await minutes.flush();
    const each = await Promise.all(organisations.map(({ organisation }) => counted(organisation.id)));
    expect(each.map(({ answered }) => answered)).toEqual([2, 1, 1, 0]);
    expect((await counted(nobody)).answered - before.answered).toBe(1);
  });
});

test("The worker deletes request minutes after two weeks, and none younger", async () => {
  const { id } = (await here.owner()).organisation;
  await here.db.sql(
    `insert into app.request_minutes (organisation_id, minute, answered)
     select $1, date_trunc('minute', now()) - days * interval '1 day' - interval '1 minute', 1 from generate_series(12, 15) days`,
    [id],
  );
  const worker = await testWorker(here.db);
  const left = () => here.db.sql("select from app.request_minutes where organisation_id = $1", [id]);
  try {
    await eventually(async () => (await left()).length === 2);
  } finally {
    await worker.stop();
  }
});
