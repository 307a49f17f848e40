/**
 * The primary fails under Patroni, with load. Another member takes over, callers that retry find what they wrote, and the
 * former primary acknowledges no write. It returns as a replica.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Pool, type QueryResultRow } from "pg";
import { createClient } from "../../src/client/index.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { parseRanges } from "../../src/delivery/address.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { startPart } from "../machines/part.ts";
import { type Member, type Patroni, startPatroni } from "../machines/patroni.ts";
import { startRetryingClients } from "../machines/retrying-client.ts";
import { closing } from "../support/closing.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { startHooks } from "../support/hooks.ts";
import { testWith, unlessMissing } from "../support/machine.ts";
import { withoutPrograms } from "../support/postgres-client.ts";
import { answersAt, killPrograms } from "../support/program.ts";
import { query } from "../support/query.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { makeTenant, type Place, seconds } from "./fixture.ts";

const loopback = { ranges: parseRanges("127.0.0.0/8"), hosts: [] };

type Service = { patroni: Patroni; place: Place; url: string };
let service: Service | undefined;

async function startService(): Promise<Service> {
  const patroni = await startPatroni();
  await query(patroni.url, "create database botstead");
  const adminUrl = urlOfDatabase("botstead", patroni.url);
  const folder = mkdtempSync(join(tmpdir(), "botstead-failover-"));
  closing(() => rmSync(folder, { recursive: true, force: true }));
  const masterKey = Buffer.alloc(32, 7).toString("base64");
  await migrate({ adminUrl, key: loadMasterKey({ dataDir: folder, masterKey }), isNew: true, allowed: loopback });
  await query(adminUrl, "create table public.probes (id bigint generated always as identity, member text)");
  const pool = new Pool({ connectionString: adminUrl, max: 4 });
  pool.on("error", () => {});
  closing(() => pool.end());
  const sql = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const hooks = await startHooks();
  closing(() => hooks.close());
  const caFile = join(folder, "receiver-ca.pem");
  writeFileSync(caFile, hooks.receiver.ca);
  const port = String(await freePort());
  const env = {
    ...{ DATA_DIR: folder, DATABASE_URL: adminUrl, MASTER_KEY: masterKey, PORT: port },
    ...{ WEBHOOK_ALLOW_RANGES: "127.0.0.0/8", WEBHOOK_CA_FILE: caFile },
  };
  closing(killPrograms);
  const url = `http://127.0.0.1:${port}`;
  await startPart("api", env, async () => () => answersAt(url));
  await startPart("worker", env, () => watchForWorker(sql));
  return { patroni, url, place: { home: { api: `${url}/api/v1` }, hooks, sql } };
}

/** Writes to one member, in every role, until stopped. @returns how many writes it acknowledged */
function probe({ url, name }: Member): () => Promise<{ tried: number; acknowledged: number }> {
  let stopped = false;
  const signal = testEnds();
  const counts = { tried: 0, acknowledged: 0 };
  const working = (async () => {
    while (!stopped && !signal.aborted) {
      const client = new Client({
        connectionString: urlOfDatabase("botstead", url),
        ...{ connectionTimeoutMillis: 1_000, query_timeout: 1_000 },
      });
      client.on("error", () => {});
      counts.tried += 1;
      await client
        .connect()
        .then(() => client.query("insert into public.probes (member) values ($1)", [name]))
        .then(
          () => (counts.acknowledged += 1),
          () => {},
        );
      void client.end().catch(() => {});
      await sleep(250); // a steady load, for as long as the fault lasts
    }
  })();
  return async () => {
    stopped = true;
    await working;
    return counts;
  };
}

function rangeOf(took: number[]): string {
  const sorted = took.toSorted((one, other) => one - other).map(seconds);
  const [first = "", last = "", middle = ""] = [sorted.at(0), sorted.at(-1), sorted[Math.floor(sorted.length / 2)]];
  return sorted.length === 1 ? first : `${first} to ${last}, median ${middle}`;
}

type Fault = { strike(member: Member): void; heal(member: Member): void | Promise<void> };

const faults: Record<string, Fault> = {
  "cut off": { strike: (member) => member.cutOff(true), heal: (member) => member.cutOff(false) },
  "killed (SIGKILL)": { strike: (member) => member.signal("SIGKILL"), heal: (member) => member.start() },
  "stopped (SIGSTOP)": { strike: (member) => member.signal("SIGSTOP"), heal: (member) => member.signal("SIGCONT") },
};

const [lacks, line] = withoutPrograms();
const testFailover = lacks === "" ? testWith("etcd-server", "patroni", "haproxy") : unlessMissing(lacks, line);

for (const [name, { strike, heal }] of Object.entries(faults)) {
  testFailover(
    `the installation loses nothing when the primary is ${name} and Patroni promotes a replica`,
    async () => {
      service ??= await startService();
      const { patroni, place, url } = service;
      const tenant = await makeTenant(place);
      const organisation = await makeOrganisation(place); // a second organisation: the load of runs uses up the limits of its organisation
      const keys = await Promise.all(
        [1, 2, 3].map(async () => (await makeKey(place, organisation.id, organisation.ownerId, "write")).text),
      );
      const [load, clients] = [tenant.load(), startRetryingClients(url, keys)];
      const client = createClient({
        ...{ baseUrl: url, key: (await makeKey(place, organisation.id, organisation.ownerId, "write")).text },
        ...{ maxRetries: Number.POSITIVE_INFINITY, backoffMs: 100, maxDelayMs: 200, timeoutMs: 10_000 },
      });
      const goesOn = () => Promise.all([load.untilMore(3), clients.untilMore(3)]);
      const took: number[] = [];
      let since = 0;
      for (let round = 0; round < howMany(1, 20); round += 1) {
        await goesOn();
        const former = await patroni.leader();
        const began = performance.now();
        strike(former);
        const stopProbe = probe(former);
        const body = {
          scope: "organisation",
          kind: "note",
          subject: `After ${name} ${round}`,
          value: "Deep.",
        } as const;
        await client.post("/memories", { body });
        took.push(performance.now() - began);
        expect((await patroni.leader()).name).not.toBe(former.name);
        await goesOn();
        await heal(former);
        since = performance.now();
        await patroni.untilWhole();
        const probed = await stopProbe();
        expect(probed).toEqual({ tried: expect.any(Number), acknowledged: 0 });
        expect(probed.tried).toBeGreaterThan(3);
        await eventually(async () => (await former.check("replica")) === 200);
      }
      await goesOn();
      await Promise.all([load.stop(), clients.stop()]);
      expect(await place.sql("select member from public.probes")).toEqual([]);
      const fault = `Patroni, primary ${name}`;
      const counts = await clients.count(place.sql);
      console.info(`${fault}: first good answer after ${took.map(seconds).join(", ")}`);
      const note = `first good answer after ${rangeOf(took)}`;
      reportCounts(`${fault}: memories`, { ...counts, note });
      expect(counts).toMatchObject({ lost: 0, doubled: 0, unexpected: 0 });
      await tenant.expectNothingLost(`${fault}: runs`, since);
      await eventually(async () => (await fetch(`${url}/readyz`)).ok);
    },
    howMany(600_000, 3_600_000),
  );
}
