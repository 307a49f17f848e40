/**
 * `npm run bench -- scale`: whether anything becomes slower as rows become many. Two databases of one cluster, one with
 * ten thousand rows of each kind and one with as many as are asked for, each organisation with as many as one has in the
 * other; and the same calls to both in turn, on one connection each: what PostgreSQL's process spends on a call, and how long it takes, hardly move when the machine has
 * other things to do.
 */
import { totalmem } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { type EmbeddedServer, startEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlAs } from "../../src/database/urls.ts";
import { loadMasterKey, type MasterKey } from "../../src/secrets/master-key.ts";
import { compileContestant, startContestant } from "../contest.ts";
import { sessionCpu } from "../cpu.ts";
import { median } from "../median.ts";
import type { Options } from "../options.ts";
import { ownDatabase } from "../own-database.ts";
import { fill, type Size } from "./fill.ts";
import { chooseTargets, type Operation, operations, type Place } from "./operations.ts";
import { type Found, table } from "./table.ts";
import { compareThroughput } from "./throughput.ts";

export const few = 10_000;
const roles = ["server", "worker", "runner"] as const;

type Server = Pick<EmbeddedServer, "version"> & { adminUrl: string; key: MasterKey };

/** A table in Markdown. Each round asks everything of both. @param folder where the server's data are, or will be */
export async function measureScale(options: Options, folder: string, say: (what: string) => void): Promise<string> {
  const dataDir = join(folder, "scale");
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  // As PostgreSQL's manual has it for a server with a machine of its own.
  const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB` };
  const server = await startEmbedded({ dataDir, password: key.password("postgres"), settings, progress: say });
  try {
    return await compare({ ...server, adminUrl: server.url, key }, options, dataDir, settings.shared_buffers, say);
  } finally {
    await server.stop();
  }
}

async function compare(
  server: Server,
  { memories: many, organisations, rounds, seconds }: Options,
  dataDir: string,
  buffers: string,
  say: (what: string) => void,
): Promise<string> {
  const size: [Size, Size] = [
    { rows: few, organisations: Math.max(1, Math.round((organisations * few) / many)) },
    { rows: many, organisations },
  ];
  const places: Place[] = [];
  try {
    await settle(server.adminUrl, true);
    for (const each of size) places.push(await open(server, each, say));
    await settle(server.adminUrl, false);
    const [small, large] = places as [Place, Place];
    const found = [
      ...(await askAll(small, large, rounds, say)),
      ...(await compareStarts(server.key, [small, large], rounds)),
    ];
    say("requests a second");
    const counts = size.map((each) => each.rows.toLocaleString("en")) as [string, string];
    const throughput = await compareThroughput(server.key, [small, large], { rounds, seconds, dataDir, counts });
    const drops: [number, number] = [await dropWeek(small), await dropWeek(large)];
    const sizes = await Promise.all(places.map(sizeOf));
    return [
      `${new Date().toISOString().slice(0, 10)}; ${few.toLocaleString("en")} and ${many.toLocaleString("en")} each of memories, runs, steps, events, ` +
        `deliveries, attempts, entries of the trail and kept answers, over 45 days, of ${size.map((each) => each.organisations.toLocaleString("en")).join(" and ")} organisations with two endpoints each (${sizes.join(" and ")}); ` +
        `medians of ${rounds} interleaved rounds on one connection; PostgreSQL ${server.version}, shared_buffers ${buffers}.`,
      table(found, drops, [few, many]),
      throughput,
    ].join("\n\n");
  } finally {
    for (const { clients } of places) await Promise.all(Object.values(clients).map((client) => client.end()));
  }
}

/** The first round is a warm-up: plans are made and rows read that the later ones ask for again. */
async function askAll(small: Place, large: Place, rounds: number, say: (what: string) => void): Promise<Found[]> {
  const found = operations.map(({ label }): Found => ({ label, few: { ms: [], us: [] }, many: { ms: [], us: [] } }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [nth, operation] of operations.entries()) {
      for (const [place, into] of [[small, found[nth]?.few] as const, [large, found[nth]?.many] as const]) {
        const slice = await ask(operation, place, round);
        if (round === 0) continue;
        into?.ms.push(slice.ms);
        into?.us.push(slice.us);
      }
    }
    say(`round ${round} of ${rounds}`);
  }
  return found;
}

/** Before a filling: no checkpoint and no vacuum goes between. After it: as in use. */
async function settle(adminUrl: string, filling: boolean): Promise<void> {
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

async function open(server: Server, size: Size, say: (what: string) => void): Promise<Place> {
  const { url, admin, isNew } = await ownDatabase(server, `scale_${size.rows}_${size.organisations}`);
  if (isNew) await fill(admin, url, size, say);
  // What a first tidying up would drop is dropped now, so that retention has one week to drop when that is measured.
  for (let more = true; more; ) {
    const { rows: dropped } = await admin.query(
      "select jobs.empty_day() is not null or jobs.drop_partition() is not null as some",
    );
    more = dropped[0]?.some;
  }
  const targets = await chooseTargets(admin);
  await admin.query("update app.executors set last_seen_at = now() + interval '1 day'");
  await admin.end();
  const each = Math.floor(size.rows / size.organisations);
  const clients = Object.fromEntries(
    roles.map((role) => [role, new Client({ connectionString: urlAs(role, url, server.key) })]),
  ) as Place["clients"];
  for (const client of Object.values(clients)) await client.connect();
  return { url, clients, targets, words: { rare: `w${Math.floor(each * 0.57)}`, common: "invoice" } };
}

/** One slice: the median of what a call took, ms, and what the connection's process spent on one, µs. */
async function ask(operation: Operation, place: Place, round: number): Promise<{ ms: number; us: number }> {
  const client = place.clients[operation.by];
  const spent = await sessionCpu(client);
  const took: number[] = [];
  let us = 0;
  for (let nth = 0; nth < operation.times; nth += 1) {
    const [began, before] = [performance.now(), spent()];
    const answer = await operation.ask(place, nth, round);
    took.push(performance.now() - began);
    us += spent() - before;
    await operation.after?.(place, answer);
  }
  return { ms: median(took), us: us / operation.times };
}

/** A migration that finds nothing to do, and a process of the API until it has served a call. */
async function compareStarts(key: MasterKey, places: [Place, Place], rounds: number): Promise<Found[]> {
  const found = ["migrate that finds nothing to do", "an API process, to its first served call"].map(
    (label): Found => ({ label, few: { ms: [], us: [] }, many: { ms: [], us: [] } }),
  );
  compileContestant("botstead");
  for (let round = 0; round < rounds; round += 1) {
    for (const [nth, { url, targets }] of places.entries()) {
      const { bearer, memory } = targets[round % targets.length] as Place["targets"][number];
      const into = (which: number) => found[which]?.[nth === 0 ? "few" : "many"].ms;
      let began = performance.now();
      await migrate({ adminUrl: url, key, rebuild: false });
      into(0)?.push(performance.now() - began);
      began = performance.now();
      const api = await startContestant("botstead", { adminUrl: url, key, targets: [] });
      const headers = { authorization: `Bearer ${bearer}` };
      const answer = await fetch(`${api.url}/api/v1/memories/${memory}`, { headers });
      const said = await answer.text();
      into(1)?.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`The API's first answer: ${answer.status} ${said}`);
      await api.stop();
    }
  }
  return found;
}

/** The oldest week of events, deliveries, attempts and the trail: how long the dropping of one of them takes, ms. */
async function dropWeek({ url, clients }: Place): Promise<number> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `update app.service_settings set delivery_retention = kept, audit_retention = kept
     from (
       select now() - interval '7 days' - (to_date(min(right(relname, 8)), 'YYYYMMDD')::timestamp at time zone 'UTC') as kept
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

async function sizeOf({ url }: Place): Promise<string> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ size: string }>(
    "select pg_size_pretty(pg_database_size(current_database())) as size",
  );
  await admin.end();
  return rows[0]?.size ?? "";
}
