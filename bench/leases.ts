/**
 * `npm run bench -- leases`: leases of runs, among few and among many finished runs. Each amount has a database of its own in the same cluster, so that
 * every round measures both. Runs are started and finished through triggers; only the lease is timed.
 */
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import type { Data } from "./data.ts";
import { raiseLimit } from "./limits.ts";
import { median } from "./median.ts";
import { ownDatabase } from "./own-database.ts";

const [fewFinished, manyFinished] = [10_000, 1_000_000];
/** Queued before each measurement, each in a conversation of its own. */
const queued = 500;
const people = 1_000;
const executor = "01890000-0000-7000-8000-0000000000ec";
/** Of the median time of a lease, with many finished runs to that with few. */
const maxRatio = 1.1;

type LeaseTimes = { perSecond: number; p50: number; p95: number; p99: number };

/** Returns a Markdown table. */
export async function measureLeases(data: Data, rounds: number, log: (message: string) => void): Promise<string> {
  const databases = [];
  try {
    for (const finished of [fewFinished, manyFinished]) {
      log(`Inserting ${finished.toLocaleString("en")} finished runs`);
      databases.push({ finished, ...(await open(data, finished)), times: [] as LeaseTimes[] });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const database of databases) database.times.push(await leaseAll(database));
    }
    const rows = databases.map(({ finished, times }) => ({ finished, ...mediansOf(times) }));
    const [few = Number.NaN, many = Number.NaN] = rows.map(({ p50 }) => p50);
    return [
      `Medians of ${rounds} interleaved rounds of ${queued} leases, one connection.`,
      [
        "| Finished runs | leases per second | p50 ms | p95 ms | p99 ms |",
        "|--:|--:|--:|--:|--:|",
        ...rows.map(
          ({ finished, perSecond, p50, p95, p99 }) =>
            `| ${finished.toLocaleString("en")} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${p99.toFixed(1)} |`,
        ),
      ].join("\n"),
      `Ratio of p50: ${(many / few).toFixed(2)} (maximum ${maxRatio.toFixed(2)}).`,
    ].join("\n\n");
  } finally {
    for (const { admin, runner } of databases) await Promise.all([admin.end(), runner.end()]);
  }
}

function mediansOf(times: LeaseTimes[]): LeaseTimes {
  const middle = (name: keyof LeaseTimes) => median(times.map((each) => each[name]));
  return { perSecond: middle("perSecond"), p50: middle("p50"), p95: middle("p95"), p99: middle("p99") };
}

type LeaseDatabase = { admin: Client; runner: Client };

async function open(data: Data, finished: number): Promise<LeaseDatabase> {
  const { url, admin, isNew } = await ownDatabase(data, `leases_${finished}`);
  if (isNew) await fill(admin, finished);
  await admin.query("checkpoint");
  const runner = new Client({ connectionString: urlAs("runner", url, data.key) });
  await runner.connect();
  await runner.query("select runner.heartbeat($1, 'bench', '{recall}')", [executor]);
  return { admin, runner };
}

async function fill(admin: Client, finished: number): Promise<void> {
  await admin.query(`
    with organisation as (
      insert into app.organisations (name, billing_state) values ('Leases', 'active') returning id
    ), owner as (
      insert into app.people (email) values ('leases@example.test') returning id
    ), bot as (
      insert into app.bots (organisation_id, name, owner_id)
      select organisation.id, 'Ada', owner.id from organisation, owner returning organisation_id, id
    ), persons as (
      insert into app.people (email) select 'person' || n || '@example.test' from generate_series(1, ${people}) n returning id
    )
    insert into app.conversations (organisation_id, bot_id, person_id)
    select bot.organisation_id, bot.id, persons.id from bot, persons`);
  await raiseLimit(admin, "runStartsPerHour");
  await admin.query("set session_replication_role = replica");
  // Ids one minute apart, all older than an hour: no run counts against the hourly limit.
  await admin.query(
    `insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
     select conversation.organisation_id, uuidv7(-make_interval(mins => 61 + n)), conversation.bot_id, conversation.id,
       conversation.person_id, 'api', 'completed', now()
     from generate_series(1, $1::integer) n
     join (select row_number() over () as position, * from app.conversations) conversation
       on conversation.position = 1 + n % ${people}`,
    [finished],
  );
  await admin.query("reset session_replication_role");
  await admin.query("vacuum (analyze)");
}

async function leaseAll({ admin, runner }: LeaseDatabase): Promise<LeaseTimes> {
  await admin.query(
    `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
     select organisation_id, bot_id, id, person_id, 'api' from app.conversations order by id limit ${queued}`,
  );
  const times: number[] = [];
  for (;;) {
    const began = performance.now();
    const { rows } = await runner.query({
      name: "lease",
      text: "select runner.lease_run($1) as run",
      values: [executor],
    });
    const run = rows[0]?.run;
    if (!run) break;
    times.push(performance.now() - began);
    await runner.query("select runner.finish($1, $2, $3, 'Done.')", [run.organisationId, run.runId, run.leaseId]);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1000;
  return { perSecond: times.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
