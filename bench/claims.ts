/**
 * Claims of runs, among few and among many that have finished: a database for each in the same cluster, so that both are
 * measured in every round. What is claimed was started through triggers and is finished through them; the claim alone is
 * timed.
 */
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import type { Data } from "./data.ts";
import type { Measured } from "./load.ts";
import { ownDatabase } from "./own-database.ts";

export const fewFinished = 10_000;
/** Started before each measurement, each in a conversation of its own. */
const waiting = 500;
const people = 1_000;
const executor = "01890000-0000-7000-8000-0000000000ec";

export type Claims = { measure(finished: number): Promise<Measured>; close(): Promise<void> };

export async function openClaims(data: Data, amounts: number[], say: (what: string) => void): Promise<Claims> {
  const places = new Map<number, Place>();
  for (const finished of amounts) {
    say(`Filling in ${finished.toLocaleString("en")} finished runs`);
    places.set(finished, await open(data, finished));
  }
  return {
    async measure(finished) {
      const place = places.get(finished);
      if (!place) throw new Error(`There is no place with ${finished} finished runs.`);
      return claimAll(place);
    },
    async close() {
      for (const { admin, runner } of places.values()) await Promise.all([admin.end(), runner.end()]);
    },
  };
}

type Place = { admin: Client; runner: Client };

async function open(data: Data, finished: number): Promise<Place> {
  const { url, admin, isNew } = await ownDatabase(data, `claims_${finished}`);
  if (isNew) await fill(admin, finished);
  await admin.query("checkpoint");
  const runner = new Client({ connectionString: urlAs("runner", url, data.key) });
  await runner.connect();
  await runner.query("select runner.beat($1, 'bench', '{recall}')", [executor]);
  return { admin, runner };
}

async function fill(admin: Client, finished: number): Promise<void> {
  await admin.query(`
    with founded as (
      insert into app.organisations (name, billing_state, hourly_run_ceiling)
      values ('Claims', 'active', 1000000000) returning id
    ), owner as (
      insert into app.people (email) values ('claims@example.test') returning id
    ), bot as (
      insert into app.bots (organisation_id, name, owner_id)
      select founded.id, 'Ada', owner.id from founded, owner returning organisation_id, id
    ), persons as (
      insert into app.people (email) select 'person' || n || '@example.test' from generate_series(1, ${people}) n returning id
    )
    insert into app.conversations (organisation_id, bot_id, person_id)
    select bot.organisation_id, bot.id, persons.id from bot, persons`);
  await admin.query("set session_replication_role = replica");
  // A minute apart, as ids of past runs are: none counts as started in the last hour.
  await admin.query(
    `insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
     select talk.organisation_id, uuidv7(-make_interval(mins => 61 + n)), talk.bot_id, talk.id, talk.person_id, 'api',
       'completed', now()
     from generate_series(1, $1::integer) n
     join (select row_number() over () as place, * from app.conversations) talk on talk.place = 1 + n % ${people}`,
    [finished],
  );
  await admin.query("reset session_replication_role");
  await admin.query("vacuum (analyze)");
}

async function claimAll({ admin, runner }: Place): Promise<Measured> {
  await admin.query(
    `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
     select organisation_id, bot_id, id, person_id, 'api' from app.conversations order by id limit ${waiting}`,
  );
  const took: number[] = [];
  for (;;) {
    const began = performance.now();
    const { rows } = await runner.query({ name: "claim", text: "select runner.claim($1) as run", values: [executor] });
    const run = rows[0]?.run;
    if (!run) break;
    took.push(performance.now() - began);
    await runner.query("select runner.finish($1, $2, $3, 'Done.')", [run.organisationId, run.runId, run.leaseId]);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  const seconds = took.reduce((sum, ms) => sum + ms, 0) / 1000;
  return { perSecond: took.length / seconds, served: took.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
