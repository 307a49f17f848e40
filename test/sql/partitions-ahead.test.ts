/** jobs.make_partitions: creates the partitions of this week and the next five. */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { announce, families } from "../support/partitions.ts";
import { begun } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";

let db: TestDatabase;
let organisation: string;

beforeEach(async () => {
  db = await testDatabase();
  organisation = (await makeOrganisation(db)).id;
});

afterEach(() => db.drop());

/** The weeks for which there are partitions, as their Mondays: "20261116". */
async function weeksOf(family: string): Promise<string[]> {
  const rows = await db.sql<{ week: string }>(
    `select right(relname, 8) as week from pg_class
     where relnamespace = 'partitions'::regnamespace and relkind = 'r' and relname ~ ('^' || $1 || '_\\d+$')
     order by 1`,
    [family],
  );
  return rows.map(({ week }) => week);
}

/** The Monday so many weeks from now. */
async function monday(weeks: number): Promise<string> {
  const [row] = await db.sql<{ week: string }>(
    `select to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC' + $1 * interval '7 days', 'YYYYMMDD') as week`,
    [weeks],
  );
  return row?.week ?? "";
}

/** As it is when nothing has run for so long that every week ahead has passed. */
async function letAllWeeksPass(): Promise<void> {
  for (const family of families) {
    for (const week of await weeksOf(family)) await db.sql(`drop table partitions.${family}_${week}`);
  }
}

describe("jobs.make_partitions", () => {
  test("has created this week and the next five of each table after a migration", async () => {
    for (const family of [...families, "audit_log", "run_events", "steps"]) {
      const weeks = await weeksOf(family);
      expect(weeks).toEqual(expect.arrayContaining(await Promise.all([0, 1, 2, 3, 4, 5].map(monday))));
      expect(weeks.at(-1)).toBe(await monday(5));
    }
  });

  test("creates a missing week and keeps the others", async () => {
    for (const family of families) await db.sql(`drop table partitions.${family}_${await monday(5)}`);
    const worker = db.poolAs("worker", 1);
    const make = async () => (await worker.query<{ made: number }>("select jobs.make_partitions() as made")).rows[0];
    expect(await make()).toEqual({ made: 1 });
    expect((await weeksOf("events")).at(-1)).toBe(await monday(5));
    expect(await make()).toEqual({ made: 0 });
  });

  test("creates each week once in two concurrent calls", async () => {
    await letAllWeeksPass();
    const worker = db.poolAs("worker", 4);
    const made = await Promise.all(
      [1, 2, 3, 4].map(async () => (await worker.query("select jobs.make_partitions() as made")).rows[0].made),
    );
    expect(made.filter((weeks) => weeks === 0)).toHaveLength(3);
    expect((await weeksOf("deliveries")).at(-1)).toBe(await monday(5));
  });

  test("does not block a writer: the worker creates the week later, and a migration fails", async () => {
    for (const family of families) await db.sql(`drop table partitions.${family}_${await monday(5)}`);
    const make = async () =>
      (await db.poolAs("worker", 1).query<{ made: number }>("select jobs.make_partitions() as made")).rows[0];
    const holder = await begun(db);
    await holder.query("lock table app.deliveries in share row exclusive mode");
    expect(await make()).toEqual({ made: 0 });
    await expect(db.sql("select jobs.make_partitions('100 milliseconds')")).rejects.toMatchObject({ code: "55P03" });
    await holder.query("commit");
    expect(await make()).toEqual({ made: 1 });
    expect((await weeksOf("deliveries")).at(-1)).toBe(await monday(5));
  });

  test("creates all missing weeks when a worker starts after months", async () => {
    await letAllWeeksPass();
    await expect(announce(db, organisation)).rejects.toMatchObject({ code: "23514" });
    const worker = await testWorker(db);
    try {
      await eventually(async () => (await weeksOf("delivery_attempts")).includes(await monday(5)));
      expect(await announce(db, organisation)).toHaveLength(1);
    } finally {
      await worker.stop();
    }
  });

  test("is called by a worker even if all earlier tasks fail", async () => {
    await letAllWeeksPass();
    const before = "function jobs.run_maintenance, jobs.delete_old_request_minutes";
    await db.sql(`revoke execute on ${before} from worker`);
    const worker = await testWorker(db);
    try {
      await eventually(async () => (await weeksOf("events")).includes(await monday(5)));
    } finally {
      await worker.stop();
      await db.sql(`grant execute on ${before} to worker`);
    }
  });

  test("creates weeks that contain each minute once", async () => {
    const found = await db.sql(
      `select
         times.least_id('2026-11-16Z') <= uuidv7('2026-11-16Z'::timestamptz - clock_timestamp() + interval '1 second') as first,
         times.least_id('2026-11-16Z') > uuidv7('2026-11-16Z'::timestamptz - clock_timestamp() - interval '1 second') as before,
         uuid_extract_timestamp(times.least_id('2026-11-16 12:34:56.789Z')) = '2026-11-16 12:34:56.789Z' as instant`,
    );
    expect(found).toEqual([{ first: true, before: true, instant: true }]);
  });
});
