/** A login without rights takes the numbers of our former advisory locks: nothing waits for it. */
import { Client, type PoolClient } from "pg";
import { migrate } from "../../src/database/migrate.ts";
import { expectAnswer } from "../support/answers.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { minutesAgo } from "../support/events.ts";
import { anEndpointWithMissedEvents } from "../support/resources.ts";

const here = ownApiOfFile();
const role = `outsider_${process.pid}`;
let outsider: Client;

/** The functions with which a login of a managed server takes advisory locks. */
const locking = "function pg_advisory_lock(bigint), pg_advisory_lock(integer, integer)";

describe("while another login has the former advisory locks", () => {
  beforeAll(async () => {
    const url = new URL(here.db.adminUrl);
    await here.db.sql(`create role ${role} login password 'outsider'`);
    await here.db.sql(`grant connect on database ${url.pathname.slice(1)} to ${role}`);
    await here.db.sql(`grant execute on ${locking} to ${role}`);
    outsider = new Client({ connectionString: Object.assign(url, { username: role, password: "outsider" }).href });
    outsider.on("error", () => {});
    await outsider.connect();
  });

  afterAll(async () => {
    await outsider.end();
    await here.db.sql(`drop owned by ${role}; drop role ${role}`);
  });

  /** Has the lock before it returns. */
  const takes = (kind: number, text?: string) =>
    text === undefined
      ? outsider.query("select pg_advisory_lock($1::bigint)", [kind])
      : outsider.query("select pg_advisory_lock($1, hashtext($2))", [kind, text]);

  test("migrate does not wait for another login's lock", async () => {
    await takes(20251121);
    await takes(20251122);
    await outsider.query("select pg_advisory_lock(4727445306447283)"); // the lock of graphile-migrate; nothing is pending
    await migrate({ adminUrl: here.db.adminUrl, key: here.db.key, repair: true, lockTimeoutMs: 10_000 });
  });

  test("maintenance releases the jobs of a dead worker while another login has its lock", async () => {
    const worker = await here.db.poolAs("worker", 1).connect();
    await takes(20251120, "alive");
    await takes(20251120, "dead");
    await worker.query("select jobs.register_worker_pool('alive')");
    const dead = await here.db.poolAs("worker", 1).connect();
    await dead.query("select jobs.register_worker_pool('dead')");
    await here.db.sql(
      "select graphile_worker.add_job('sleep', job_key => pool) from unnest('{alive,dead}'::text[]) pool",
    );
    await here.db.sql(
      "update graphile_worker._private_jobs set locked_by = key, locked_at = now() - interval '1 minute' where key in ('alive', 'dead')",
    );
    await here.db.sql("select jobs.run_maintenance()");
    expect(await locked()).toEqual(["alive", "dead"]);
    await ended(dead);
    await here.db.sql("select jobs.run_maintenance()");
    expect(await locked()).toEqual(["alive"]);
    expect(await here.db.sql("select pool from app.worker_pools")).toEqual([{ pool: "alive" }]);
    worker.release(true);
  });

  const locked = async () =>
    (
      await here.db.sql<{ key: string }>(
        "select key from graphile_worker.jobs where locked_by is not null order by key",
      )
    ).map(({ key }) => key);

  /** Ends the session, and waits until the server has noticed. */
  async function ended(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    client.release(true);
    const isThere = () => here.db.sql("select from pg_stat_activity where pid = $1", [rows[0]?.pid]);
    while ((await isThere()).length > 0);
  }

  test("a pool whose process id another session has is dead", async () => {
    const session = await here.db.poolAs("worker", 1).connect();
    await session.query("select jobs.register_worker_pool('reused')");
    await here.db.sql(
      "update app.worker_pools set session_started_at = session_started_at - interval '1 ms' where pool = 'reused'",
    );
    expect(await here.db.sql("select from service.live_worker_pools() where pool = 'reused'")).toEqual([]);
    session.release(true);
  });

  test("executors, recoveries, runs and new models do not wait for another login's lock", async () => {
    const at = await anEndpointWithMissedEvents(here, "1 hour", 3);
    const botId = (await at.ada.post("/bots", { name: "Guide" })).body.id;
    await takes(20251124);
    await takes(20251121, at.endpointId);
    await takes(20251121, botId);
    await takes(20251125, at.ada.organisation.id);
    const runner = here.db.poolAs("runner", 1);
    await runner.query("select runner.heartbeat($1, 'new', '{recall}')", [crypto.randomUUID()]);
    const body = { since: minutesAgo(90), include: "missing" };
    expectAnswer("recover_webhook", await at.ada.post(`/webhooks/${at.endpointId}/recover`, body));
    const run = expectAnswer("start_run", await at.ada.post("/runs", { botId, message: "Hello" }));
    await here.db.sql("update app.bots set model = 'another' where id = $1", [botId]);
    await here.db.sql("update app.bots set model = 'recall' where id = $1", [botId]);
    const executor = crypto.randomUUID();
    await runner.query("select runner.heartbeat($1, 'leasing', '{recall}')", [executor]);
    const { rows } = await runner.query("select runner.lease_run($1) ->> 'runId' as run", [executor]);
    expect(rows).toEqual([{ run: run.id }]);
  });

  test("try_lock returns false while another transaction has the lock", async () => {
    await here.db.sql("select service.lock('one')");
    expect(await here.db.sql("select service.try_lock('one') as had")).toEqual([{ had: true }]);
    const other = await here.db.poolAs("owner", 1).connect();
    await other.query("begin; select service.lock('one')");
    expect(await here.db.sql("select service.try_lock('one') as had")).toEqual([{ had: false }]);
    other.release(true);
  });
});
