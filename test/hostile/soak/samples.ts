/** Measurements during a soak: metrics of the processes and statistics of the database. */
import type { Sql } from "../../fault/evidence.ts";
import { scrape } from "../../support/metrics.ts";
import { judgeFlatness, judgeRise, type Room, type Verdict } from "./flatness.ts";
import type { MemoryUse } from "./memory-use.ts";

export type Sample = Record<string, number>;

/** By prefix of the series' name. In the short form memory does not settle and autovacuum may not run. */
export const rooms = (long: boolean): [prefix: string, room: Room][] => [
  ["held by", { share: 0, more: long ? 10 : 80 }],
  ["memory", { share: long ? 0.1 : 0.5, more: long ? 30 : 100 }],
  ["descriptors", { share: long ? 0 : 0.1, more: long ? 10 : 30 }],
  ["connections", { share: 0, more: long ? 4 : 30 }], // a busy machine answers later, so pools open more of theirs
  ["dead rows", { share: 0.5, more: 20_000 }],
  ["jobs", { share: 0.5, more: long ? 50 : 500 }],
  ["partitions", { share: 0, more: 0 }],
  ["write-ahead log", { share: 0.5, more: 300 }],
];

const parts = ["api", "worker", "console"];
/** Series that must get a verdict, because a missing series would hide growth. */
const expected = [
  ...parts.flatMap((part) => [`memory of ${part}, MB`, `descriptors of ${part}`]),
  ...["connections", "jobs", "partitions", "write-ahead log, MB", "dead rows of app.memories"],
];
/** The share of samples that a series may lack, because a slow process can miss one. */
const maxGaps = (long: boolean) => (long ? 0.1 : 0.5);

/** @returns the verdicts, and a sentence for each required series that could not be judged */
export function judgeAll(samples: Sample[], long: boolean): { verdicts: Verdict[]; unseen: string[] } {
  const names = [...new Set([...expected, ...samples.flatMap((sample) => Object.keys(sample))])];
  const verdicts: Verdict[] = [];
  const unseen: string[] = [];
  for (const name of names) {
    const values = samples.map((sample) => sample[name]).filter((value) => value !== undefined);
    const isExpected = expected.includes(name);
    const least = Math.max(isExpected ? samples.length * (1 - maxGaps(long)) : 0, 9);
    if (values.length >= least) verdicts.push(judgeFlatness(name, values, roomOf(name, long)));
    else if (isExpected) unseen.push(`${name}: in ${values.length} of ${samples.length} samples`);
  }
  return { verdicts, unseen };
}

/** Memory that each process retained, early and late. */
export function judgeMemoryUse(early: MemoryUse, late: MemoryUse, long: boolean): ReturnType<typeof judgeAll> {
  const verdicts: Verdict[] = [];
  const unseen: string[] = [];
  for (const part of parts) {
    const [name, first, last] = [`held by ${part}, MB`, early[part], late[part]];
    if (first === undefined || last === undefined) unseen.push(`${name}: ${first} and ${last}`);
    else verdicts.push(judgeRise(name, first, last, roomOf(name, long)));
  }
  return { verdicts, unseen };
}

function roomOf(name: string, long: boolean): Room {
  const [, room] = rooms(long).find(([prefix]) => name.startsWith(prefix)) ?? [];
  if (!room) throw new Error(`No tolerance is defined for ${name}.`);
  return room;
}

/** @param metricsUrl of the console, which has the metrics of all processes */
export async function takeSample(sql: Sql, metricsUrl: string): Promise<Sample> {
  const sample: Sample = {};
  const { samples } = await scrape(metricsUrl);
  for (const { name, labels, value } of samples) {
    if (name === "process_resident_memory_bytes") sample[`memory of ${labels.part}, MB`] = value / 1e6;
    if (name === "process_open_fds") sample[`descriptors of ${labels.part}`] = value;
  }
  const [database] = await sql<Sample>(
    `select
       (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())::float8
         as "connections",
       (select count(*) from graphile_worker._private_jobs)::float8 as "jobs",
       (select count(*) from pg_inherits)::float8 as "partitions",
       (select sum(size) / 1e6 from pg_ls_waldir())::float8 as "write-ahead log, MB"`,
  );
  Object.assign(sample, database);
  const tables = await sql<{ name: string; dead: number }>(
    `select schemaname || '.' || relname as name, n_dead_tup::float8 as dead from pg_stat_user_tables
     where schemaname in ('app', 'partitions', 'graphile_worker')`,
  );
  for (const { name, dead } of tables) sample[`dead rows of ${name}`] = dead;
  return sample;
}
