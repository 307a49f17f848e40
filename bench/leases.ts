/**
 * Leases of runs, among few and among many finished runs. Each amount has a database of its own in the same cluster, so that
 * every round measures both. Runs are started and finished through triggers; only the lease is timed.
 */
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import type { Data } from "./data.ts";
import { raiseLimit } from "./limits.ts";
import type { Measured } from "./load.ts";
import { ownDatabase } from "./own-database.ts";

export const fewFinished = 10_000;
/** Queued before each measurement, each in a conversation of its own. */
const queued = 500;
const people = 1_000;
const executor = "01890000-0000-7000-8000-0000000000ec";

export type Leases = { measure(finished: number): Promise<Measured>; close(): Promise<void> };

export async function openLeases(data: Data, amounts: number[], log: (message: string) => void): Promise<Leases> {
  const databases = new Map<number, LeaseDatabase>();
  for (const finished of amounts) {
    log(`Inserting ${finished.toLocaleString("en")} finished runs`);
    databases.set(finished, await open(data, finished));
  }
  return {
    async measure(finished) {
      const database = databases.get(finished);
      if (!database) throw new Error(`There is no database with ${finished} finished runs.`);
      return leaseAll(database);
    },
    async close() {
      for (const { admin, runner } of databases.values()) await Promise.all([admin.end(), runner.end()]);
    },
  };
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

async function leaseAll({ admin, runner }: LeaseDatabase): Promise<Measured> {
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
  return { perSecond: times.length / seconds, served: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
