/**
 * The API behind HAProxy: two processes, PgBouncer in front of PostgreSQL, and a replica that answers reads. There is
 * no worker: tests of the API need none, and a worker would change rows during the tests.
 */
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../src/database/embedded/port.ts";
import {
  type CallOptions,
  callerOf,
  type Json,
  type ServeBy,
  type Served,
  serveAlone,
  type TestApi,
} from "../support/api.ts";
import { closing } from "../support/closing.ts";
import type { TestDatabase } from "../support/database.ts";
import { logged } from "../support/logged.ts";
import { type Scrape, scrape } from "../support/metrics.ts";
import { answersAt, runProgram, untilWorks } from "../support/program.ts";
import { startBalancer } from "./balancer.ts";
import { startPooler } from "./pooler.ts";
import { acknowledgeFromDisk, type Standby } from "./standby.ts";

/** Database and metrics of the set-up, so that a test can check which process answered. */
export type Many = {
  db: TestDatabase;
  /** Metrics of each API process. */
  metrics(): Promise<Scrape[]>;
};

/**
 * A test file with its own rate limits or limits gets two servers inside its process, which share no state. Processes
 * of the command line always have the specified limits.
 *
 * @param standby undefined if the primary answers all reads
 * @param opened receives the set-up when separate processes serve it
 */
export const serveByMany =
  (standby?: () => Standby, opened: (many: Many) => void = () => {}): ServeBy =>
  async (db, settings, buckets, limits) => {
    await acknowledgeFromDisk(db);
    const pooler = await startPooler(db);
    const many = {
      BASE_URL: "https://api.harbour.example", // public address of both
      TRUSTED_PROXIES: "127.0.0.1",
      DATABASE_URL: pooler.urlOf(db.adminUrl),
      DATABASE_DIRECT_URL: db.adminUrl,
      ...(standby ? { DATABASE_READ_URL: standby().urlOf(db.adminUrl) } : {}),
      MASTER_KEY: db.masterKey,
      ...settings,
    };
    const server = async () => {
      const { url, stop } = await serveAlone(db, many, buckets, limits);
      return { url, stop: closing(stop) };
    };
    const two = <T>(start: () => Promise<T>) => Promise.all([start(), start()]);
    const processes = buckets || limits ? undefined : await two(() => startProcess(many));
    const [first, second] = processes ?? (await two(server));
    const balancer = await startBalancer([first.url, second.url]);
    if (processes) opened({ db, metrics: () => Promise.all(processes.map(({ metrics }) => metrics())) });
    return {
      url: balancer.url,
      call: fromAnywhere(askingAgain(callerOf(balancer.url))),
      async stop() {
        await balancer.remove();
        await Promise.all([first.stop(), second.stop()]);
        await pooler.remove();
      },
    };
  };

async function startProcess(many: Record<string, string>): Promise<Served & { metrics(): Promise<Scrape> }> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const env = { ...many, PORT: String(port), METRICS_PORT: String(metricsPort), LOG_LEVEL: "warn" };
  const program = runProgram(["api"], { env });
  const stop = closing(() => program.kill("SIGTERM"));
  program.child.stdout?.on("data", logged);
  await untilWorks(program, () => answersAt(url));
  return { url, stop, metrics: () => scrape(`http://127.0.0.1:${metricsPort}/metrics`) };
}

/**
 * Retries after 503, POSTs under the same Idempotency-Key, as clients do. A process may be late, because many processes
 * share two cores.
 */
function askingAgain(call: TestApi["call"]): TestApi["call"] {
  return async <Body = Json>(method: string, path: string, options: CallOptions = {}) => {
    const { idempotencyKey = randomUUID() } = options;
    const same = { ...options, idempotencyKey };
    for (let tries = 1; ; tries += 1) {
      const reply = await call<Body>(method, path, same);
      if (reply.status !== 503 || tries === 3) return reply;
      await sleep(250); // between two tries of a client
    }
  };
}

/** Sends each call from another client address, because a process counts refusals by client address. */
const fromAnywhere =
  (call: TestApi["call"]): TestApi["call"] =>
  (method, path, { headers, ...options } = {}) => {
    const part = () => randomInt(65_536).toString(16);
    const from = { "x-forwarded-for": `2001:db8:${part()}:${part()}::1` };
    return call(method, path, { ...options, headers: { ...from, ...headers } });
  };
