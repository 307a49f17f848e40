/** Requests per minute: each is counted once for its organisation, and none is lost in an outage. */
import { pino } from "pino";
import { countKeyDays, countRequestMinutes, type RequestMinutes } from "../../src/api/limits/usage.ts";
import { openApiPools } from "../../src/database/connections/api-pools.ts";
import { urlAs } from "../../src/database/urls.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Json, testApi } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { absent } from "../support/requests.ts";
import { nowInSeconds, signed } from "../support/sign.ts";
import { lockWaits } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = ownApiOfFile();
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

describe("Usage of keys", () => {
  const day = 24 * 3_600_000;
  const today = Date.now() - (Date.now() % day);
  const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const usageOf = async (ada: Member, id = ada.key.id): Promise<Json> =>
    expectAnswer("get_key_usage", await ada.get(`/keys/${id}/usage`)).days;
  const silent = pino({ level: "silent" });

  test("get_key_usage counts requests and refusals of each key, and none of a refused credential", async () => {
    const api = await testApi(here.db);
    const ada = await here.owner();
    const reader = await here.another(ada, "read");
    const ask = (path: string, key = ada.key.text) => api.call("GET", path, { key });
    for (const path of ["/me", "/bots", "/bots/none", "/bots?limit=0"]) await ask(path);
    await ask("/me", reader.key.text);
    await ask("/keys", reader.key.text); // 401: its scope is too small
    const watching = await here.another(ada); // so that no look at the counts is counted
    expect(await usageOf(watching, ada.key.id)).toEqual([]);
    await api.stop(); // stopping flushes the counts
    const sum = (days: Json[]) =>
      days.reduce((sums, { requests, refusals }) => [sums[0] + requests, sums[1] + refusals], [0, 0]);
    expect(sum(await usageOf(watching, ada.key.id))).toEqual([4, 2]); // in one day, or in two around midnight
    expect(sum(await usageOf(watching, reader.key.id))).toEqual([1, 0]);
  });

  test("get_key_usage returns the last 90 days, newest first", async () => {
    const ada = await here.owner();
    await here.db.sql(
      `insert into app.api_key_days (organisation_id, key_id, day, requests, refusals)
       select organisation_id, id, (now() at time zone 'UTC')::date - ago, ago + 1, 1
       from app.api_keys, unnest('{0, 5, 89, 90}'::integer[]) ago where id = $1`,
      [ada.key.id],
    );
    const days = await usageOf(ada);
    expect(days.map(({ requests }: Json) => requests)).toEqual([1, 6, 90]);
    expect(days[1]).toEqual({ day: dateOf(Date.now() - 5 * day), requests: 6, refusals: 1 });
    for (const id of [absent, (await here.owner()).key.id]) {
      expectRefusal(await ada.get(`/keys/${id}/usage`), "not_found");
    }
  });

  test("two processes add to the same day, a failed flush loses nothing, and keys beyond the maximum are not counted", async () => {
    const owners = [await here.owner(), await here.owner(), await here.owner()] as const;
    const callers = owners.map(({ key, organisation }) => ({ keyId: key.id, organisationId: organisation.id }));
    const [first, second, third] = callers as [(typeof callers)[0], (typeof callers)[0], (typeof callers)[0]];
    const pools = openApiPools(urlAs("server", here.db.adminUrl, here.db.key));
    let clock = today - 1;
    const [one, two] = [countKeyDays(pools, silent, () => clock, 2), countKeyDays(pools, silent, () => clock)];
    try {
      await here.db.sql("alter table app.api_key_days add constraint away check (false) not valid");
      one.note(first, 200);
      one.note(second, 429);
      one.note(third, 200);
      one.note(first, 503);
      await one.flush();
      one.note(first, 404);
      await here.db.sql("alter table app.api_key_days drop constraint away");
      two.note(first, 200);
      two.note({ keyId: absent, organisationId: first.organisationId }, 200); // a key that does not exist
      await Promise.all([one.flush(), two.flush()]);
      clock += 1;
      two.note(first, 200);
      await two.flush();
      expect(await usageOf(owners[0])).toEqual([
        { day: dateOf(today), requests: 1, refusals: 0 },
        { day: dateOf(today - 1), requests: 4, refusals: 1 },
      ]);
      expect(await usageOf(owners[1])).toEqual([{ day: dateOf(today - 1), requests: 1, refusals: 1 }]);
      expect(await usageOf(owners[2])).toEqual([]);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
      await pools.close();
    }
  });
});

test("The worker deletes request minutes after two weeks and usage of keys after 90 days, and none younger", async () => {
  const ada = await here.owner();
  const { id } = ada.organisation;
  await here.db.sql(
    `insert into app.api_key_days (organisation_id, key_id, day)
     select $1, $2, (now() at time zone 'UTC')::date - ago from generate_series(88, 92) ago`,
    [id, ada.key.id],
  );
  await here.db.sql(
    `insert into app.request_minutes (organisation_id, minute, answered)
     select $1, date_trunc('minute', now()) - days * interval '1 day' - interval '1 minute', 1 from generate_series(12, 15) days`,
    [id],
  );
  const worker = await testWorker(here.db);
  const left = () => here.db.sql("select from app.request_minutes where organisation_id = $1", [id]);
  try {
    await eventually(async () => (await left()).length === 2);
    const days = () => here.db.sql("select from app.api_key_days where organisation_id = $1", [id]);
    await eventually(async () => (await days()).length === 2);
  } finally {
    await worker.stop();
  }
});

test("count_requests leaves no row of an organisation that is not here, as after its move, and counts the others", async () => {
  const ada = await here.owner();
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  const row = { minute, answered: 1, refused: 0, limited: 0, failed: 0 };
  const counts = [absent, ada.organisation.id].map((organisationId) => ({ organisationId, ...row }));
  await here.db.sql("select service.count_requests($1)", [JSON.stringify(counts)]);
  expect((await counted(absent)).answered).toBe(0);
  expect((await counted(ada.organisation.id)).answered).toBe(1);
});
