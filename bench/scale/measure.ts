/**
 * `npm run bench -- scale`: compares a database with few rows and one with many. Both are in one cluster, and organisations
 * have the same number of rows in both. The calls alternate between the databases, on one connection each. The processor time
 * of the backend process hardly changes when other programs use the machine.
 */
import { totalmem } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { type EmbeddedServer, startEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlAs } from "../../src/database/urls.ts";
import { loadMasterKey, type MasterKey } from "../../src/secrets/master-key.ts";
import { sessionCpu } from "../cpu.ts";
import { median } from "../median.ts";
import type { Options } from "../options.ts";
import { ownDatabase } from "../own-database.ts";
import { compileSystem, startSystem } from "../systems.ts";
import { fill, type Size } from "./fill.ts";
import { chooseTargets, type Operation, operations, type ScaleDatabase } from "./operations.ts";
import { type Comparison, table } from "./table.ts";
import { compareThroughput } from "./throughput.ts";

const few = 10_000;
const roles = ["server", "worker", "runner"] as const;

type Server = Pick<EmbeddedServer, "version"> & { adminUrl: string; key: MasterKey };

/** Returns Markdown tables. Each round calls all operations on both databases. @param folder data of the server */
export async function measureScale(options: Options, folder: string, log: (message: string) => void): Promise<string> {
  const dataDir = join(folder, "scale");
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  // A quarter of the memory, as PostgreSQL's manual advises for a dedicated server.
  const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB` };
  const server = await startEmbedded({ dataDir, password: key.password("postgres"), settings, progress: log });
  try {
    return await compare({ ...server, adminUrl: server.url, key }, options, dataDir, settings.shared_buffers, log);
  } finally {
    await server.stop();
  }
}

async function compare(
  server: Server,
  { memories: many, organisations, rounds, seconds }: Options,
  dataDir: string,
  buffers: string,
  log: (message: string) => void,
): Promise<string> {
  const size: [Size, Size] = [
    { rows: few, organisations: Math.max(1, Math.round((organisations * few) / many)) },
    { rows: many, organisations },
  ];
  const databases: ScaleDatabase[] = [];
  try {
    await setFillSettings(server.adminUrl, true);
    for (const each of size) databases.push(await open(server, each, log));
    await setFillSettings(server.adminUrl, false);
    const [small, large] = databases as [ScaleDatabase, ScaleDatabase];
    const comparisons = [
      ...(await runAll(small, large, rounds, log)),
      ...(await compareStarts(server.key, [small, large], rounds)),
    ];
    log("Measuring requests per second");
    const counts = size.map((each) => each.rows.toLocaleString("en")) as [string, string];
    const throughput = await compareThroughput(server.key, [small, large], { rounds, seconds, dataDir, counts });
    const drops: [number, number] = [await dropWeek(small), await dropWeek(large)];
    const sizes = await Promise.all(databases.map(sizeOf));
    return [
      `${few.toLocaleString("en")} and ${many.toLocaleString("en")} each of memories, runs, steps, events, ` +
        `deliveries, attempts, audit-log entries and idempotent responses, over 45 days. ${size.map((each) => each.organisations.toLocaleString("en")).join(" and ")} organisations with two endpoints each (${sizes.join(" and ")}). ` +
        `Medians of ${rounds} interleaved rounds on one connection; shared_buffers ${buffers}.`,
      table(comparisons, drops, [few, many]),
      throughput,
    ].join("\n\n");
  } finally {
    for (const { clients } of databases) await Promise.all(Object.values(clients).map((client) => client.end()));
  }
}

/** Round 0 is a warm-up: it plans statements and fills caches. */
async function runAll(
  small: ScaleDatabase,
  large: ScaleDatabase,
  rounds: number,
  log: (message: string) => void,
): Promise<Comparison[]> {
  const comparisons = operations.map(
    ({ label }): Comparison => ({ label, few: { ms: [], us: [] }, many: { ms: [], us: [] } }),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const [nth, operation] of operations.entries()) {
      for (const [database, into] of [
        [small, comparisons[nth]?.few] as const,
        [large, comparisons[nth]?.many] as const,
      ]) {
        const slice = await runSlice(operation, database, round);
        if (round === 0) continue;
        into?.ms.push(slice.ms);
        into?.us.push(slice.us);
      }
    }
    log(`round ${round} of ${rounds}`);
  }
  return comparisons;
}

/** While filling: no checkpoint and no autovacuum. Afterwards: default settings. */
async function setFillSettings(adminUrl: string, filling: boolean): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const settings = { max_wal_size: "'16GB'", checkpoint_timeout: "'1h'", full_page_writes: "off", autovacuum: "off" };
  for (const [name, value] of Object.entries(settings)) {
    await admin.query(filling ? `alter system set ${name} = ${value}` : `alter system reset ${name}`);
  }
  await admin.query("select pg_reload_conf()");
  if (!filling) await admin.query("checkpoint");
  await admin.end();
}

async function open(server: Server, size: Size, log: (message: string) => void): Promise<ScaleDatabase> {
  const { url, admin, isNew } = await ownDatabase(server, `scale_${size.rows}_${size.organisations}`);
  if (isNew) await fill(admin, url, size, log);
  // Drops expired partitions now, so that `dropWeek` later measures exactly one week.
  for (let more = true; more; ) {
    const { rows: dropped } = await admin.query(
      "select jobs.truncate_day() is not null or jobs.drop_partition() is not null as some",
    );
    more = dropped[0]?.some;
  }
  const targets = await chooseTargets(admin);
  await admin.query("update app.executors set last_seen_at = now() + interval '1 day'");
  await admin.end();
  const each = Math.floor(size.rows / size.organisations);
  const clients = Object.fromEntries(
    roles.map((role) => [role, new Client({ connectionString: urlAs(role, url, server.key) })]),
  ) as ScaleDatabase["clients"];
  for (const client of Object.values(clients)) await client.connect();
  return { url, clients, targets, words: { rare: `w${Math.floor(each * 0.57)}`, common: "invoice" } };
}

/** One slice: the median latency in ms, and the mean processor time of the backend process in µs. */
async function runSlice(
  operation: Operation,
  database: ScaleDatabase,
  round: number,
): Promise<{ ms: number; us: number }> {
  const client = database.clients[operation.by];
  const cpu = await sessionCpu(client);
  const times: number[] = [];
  let us = 0;
  for (let nth = 0; nth < operation.times; nth += 1) {
    const [began, before] = [performance.now(), cpu()];
    const answer = await operation.run(database, nth, round);
    times.push(performance.now() - began);
    us += cpu() - before;
    await operation.after?.(database, answer);
  }
  return { ms: median(times), us: us / operation.times };
}

/** Times of a migration without changes, and of an API process until its first call succeeds. */
async function compareStarts(
  key: MasterKey,
  databases: [ScaleDatabase, ScaleDatabase],
  rounds: number,
): Promise<Comparison[]> {
  const comparisons = ["migration without changes", "API process: first served call"].map(
    (label): Comparison => ({ label, few: { ms: [], us: [] }, many: { ms: [], us: [] } }),
  );
  compileSystem("botstead");
  for (let round = 0; round < rounds; round += 1) {
    for (const [nth, { url, targets }] of databases.entries()) {
      const { bearer, memory } = targets[round % targets.length] as ScaleDatabase["targets"][number];
      const into = (which: number) => comparisons[which]?.[nth === 0 ? "few" : "many"].ms;
      let began = performance.now();
      await migrate({ adminUrl: url, key });
      into(0)?.push(performance.now() - began);
      began = performance.now();
      const api = await startSystem("botstead", { adminUrl: url, key, targets: [] });
      const headers = { authorization: `Bearer ${bearer}` };
      const answer = await fetch(`${api.url}/api/v1/memories/${memory}`, { headers });
      const body = await answer.text();
      into(1)?.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`The first call failed: ${answer.status} ${body}`);
      await api.stop();
    }
  }
  return comparisons;
}

/** Drops the oldest week of events, deliveries, attempts and audit log. Returns the mean time of one partition in ms. */
async function dropWeek({ url, clients }: ScaleDatabase): Promise<number> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `update app.service_settings set delivery_retention = retention, audit_retention = retention
     from (
       select now() - interval '7 days' - (to_date(min(right(relname, 8)), 'YYYYMMDD')::timestamp at time zone 'UTC') as retention
       from pg_class where relnamespace = 'partitions'::regnamespace and relname ~ '^deliveries_[0-9]{8}$'
     ) oldest`,
  );
  await admin.end();
  const began = performance.now();
  const dropped = new Set<string>();
  for (;;) {
    const { rows } = await clients.worker.query<{ partition: string | null }>(
      "select jobs.drop_partition() as partition",
    );
    if (!rows[0]?.partition) break;
    dropped.add(rows[0].partition);
  }
  return (performance.now() - began) / Math.max(1, dropped.size);
}

async function sizeOf({ url }: ScaleDatabase): Promise<string> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ size: string }>(
    "select pg_size_pretty(pg_database_size(current_database())) as size",
  );
  await admin.end();
  return rows[0]?.size ?? "";
}
