/** What is looked at while it runs: what processes say of themselves, and what the database says of itself. */
import type { Sql } from "../../fault/evidence.ts";
import { scrape } from "../../support/metrics.ts";
import type { Room } from "./flatness.ts";

export type Sample = Record<string, number>;

/** By the beginning of a series' name. In the short form memory has no time to come to rest, nor has autovacuum to come. */
export const rooms = (long: boolean): [prefix: string, room: Room][] => [
  ["memory", { share: long ? 0.1 : 0.5, more: long ? 30 : 100 }],
  ["descriptors", { share: 0.1, more: 30 }],
  ["connections", { share: 0, more: 4 }],
  ["dead rows", { share: 0.5, more: 20_000 }],
  ["jobs", { share: 0.5, more: 500 }],
  ["partitions", { share: 0, more: 0 }],
  ["write-ahead log", { share: 0.5, more: 300 }],
];

/** @param metricsUrl of the console, which tells of every part that runs beside it */
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
