/**
 * Fixture of the fault tests: Botstead as `start` runs it, in separate processes, a real receiver, and organisations
 * with load and subscribers that reveal losses.
 */
import { Pool, type QueryResultRow } from "pg";
import { findDatabase } from "../../src/database/access.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { callerOf } from "../support/api.ts";
import { makeKey, setLimits } from "../support/database.ts";
import { type Hook, type Hooks, startHooks, status } from "../support/hooks.ts";
import { type Installation, makeInstallation, type Started } from "../support/installation.ts";
import { type Customer, customer } from "../support/post-office.ts";
import { killPrograms, type Settings } from "../support/program.ts";
import { reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { type Clients, clientsOf } from "./clients.ts";
import { deadWorkerPools, type Evidence, gather, isMoving, type Sql, type Subscriber } from "./evidence.ts";
import { hurried } from "./journal.ts";
import { type Caller, type Load, startLoad } from "./load.ts";
import { count, countFaults, judge, noteOf } from "./oracle.ts";

export type Fixture = {
  home: Installation;
  hooks: Hooks;
  /** Queries the running database as administrator. */
  sql: Sql;
  databaseUrl(): string;
  /** The process that was started last. */
  started(): Started;
  start(settings?: Settings): Promise<Started>;
  /** Process id of the worker that `start` supervises. Waits until it differs from `before`. */
  worker(before?: number): Promise<number>;
  tenant(): Promise<Tenant>;
  /** A mixed load of clients with their own organisations. */
  beside: Clients["beside"];
  close(): Promise<void>;
};

export type Place = { home: Pick<Installation, "api">; hooks: Pick<Hooks, "hook">; sql: Sql };

export type Tenant = {
  who: Customer;
  /** Ids of the runs that a caller got a 202 for. */
  acknowledged: string[];
  /** A subscriber that accepts every delivery at once. */
  prompt: Subscriber;
  subscribe(hook: Hook, url?: string): Promise<Subscriber>;
  load(): Load;
  /** Waits until the prompt subscriber accepts a POST that arrives after this call. */
  untilTaken(): Promise<void>;
  /** Starts one run. */
  run(): Promise<string>;
  /**
   * Ends a fault test: waits until no work is due, compares all evidence, and reports the counts.
   *
   * @param since end of the fault (performance.now)
   */
  expectNothingLost(fault: string, since: number): Promise<Evidence>;
};

/** A fault test starts more runs than the 120 an hour that one organisation may start. */
const manyRuns = 100_000;
const callersOfTenant = 3;
const settlesWithinMs = 300_000;

/** @param external DATABASE_URL and MASTER_KEY of an external database, or another DATA_DIR */
export async function openFixture(external: Record<string, string> = {}): Promise<Fixture> {
  const hooks = await startHooks();
  const home = await makeInstallation(hooks.receiver.ca, { ...hurried, ...external });
  const where = { dataDir: home.dataDir, databaseUrl: external.DATABASE_URL };
  let started: Started | undefined;
  let pool: Pool | undefined;
  let address = "";
  const sql: Sql = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) => {
    if (!pool) throw new Error("nothing was started");
    return (await pool.query<Row>(text, values)).rows;
  };

  const fixture: Fixture = {
    home,
    hooks,
    sql,
    databaseUrl: () => address,
    started() {
      if (!started) throw new Error("nothing was started");
      return started;
    },
    async start(settings) {
      started = await home.start(settings);
      await pool?.end(); // the embedded database may use another port after a restart
      const key = loadMasterKey({ dataDir: home.dataDir, masterKey: external.MASTER_KEY });
      address = (await findDatabase(where, key)) ?? "";
      pool = new Pool({ connectionString: address, max: 4 });
      pool.on("error", () => {});
      return started;
    },
    async worker(before) {
      const found = () => fixture.started().parts().worker?.pid;
      await eventually(async () => found() !== undefined && found() !== before);
      return found() ?? 0;
    },
    tenant: () => makeTenant(fixture),
    beside: () => clientsOf({ sql, url: rootOf(fixture) }).beside(),
    async close() {
      await pool?.end();
      await home.remove();
      await killPrograms();
      await hooks.close();
    },
  };
  return fixture;
}

const rootOf = ({ home }: Pick<Place, "home">) => home.api.replace("/api/v1", "");

/**
 * Waits until a run of a new organisation ends and its subscriber gets the event. This shows that a live worker works:
 * a dead or suspended worker holds no lease of the new run.
 */
export async function untilWorkIsDone(place: Place): Promise<void> {
  const who = await customer({ db: place, api: { call: callerOf(rootOf(place)) } });
  const hook = place.hooks.hook();
  await who.subscribe(hook);
  await who.run();
  await eventually(async () => hook.posts().length > 0);
}

/** @param place the installation; requests go to `home.api` */
export async function makeTenant(place: Place): Promise<Tenant> {
  const { hooks, sql } = place;
  const url = rootOf(place);
  const who = await customer({ db: { sql }, api: { call: callerOf(url) } });
  const { id, ownerId } = who.organisation;
  await setLimits({ sql }, id, { runStartsPerHour: manyRuns });
  const acknowledged: string[] = [];
  const subscribers: Subscriber[] = [];

  const subscribe: Tenant["subscribe"] = async (hook, address = hook.url) => {
    const subscriber = { ...(await who.subscribe({ ...hook, url: address })), hook };
    subscribers.push(subscriber);
    return subscriber;
  };
  const prompt = await subscribe(hooks.hook());
  // A receiver that refuses the first attempt of each delivery, so that some deliveries wait for a retry.
  const met = new Set<unknown>();
  const reluctant: Hook["answer"] = (request, response) => {
    const delivery = request.headers["x-botstead-delivery"];
    status(met.has(delivery) ? 200 : 500)(request, response);
    met.add(delivery);
  };
  await subscribe(hooks.hook(reluctant));
  // Two endpoints that must get no deliveries.
  const paused = await subscribe(hooks.hook());
  await who.ask("PATCH", `/webhooks/${paused.id}`, { state: "paused" });
  await who.ask("POST", "/webhooks", { url: hooks.hook().url, events: ["approval.needed"] });

  const callers: Caller[] = [];
  for (let each = 0; each < callersOfTenant; each += 1) {
    const bot = (await who.ask("POST", "/bots", { name: `Bot ${each}` })).body.id as string;
    callers.push({ key: (await makeKey({ sql }, id, ownerId, "write")).text, bot });
  }

  return {
    who,
    acknowledged,
    prompt,
    subscribe,
    load: () => startLoad(url, callers, acknowledged),
    async untilTaken() {
      const posts = () => prompt.hook.posts().length;
      const before = posts();
      await eventually(async () => posts() > before);
    },
    async run() {
      const run = await who.run();
      acknowledged.push(run);
      return run;
    },
    async expectNothingLost(fault, since) {
      const rests = () =>
        isMoving(sql, id).then(
          (moving) => !moving,
          () => false,
        );
      await eventually(rests, settlesWithinMs).catch(() => {}); // the oracle reports work that is still due
      const settled = seconds(performance.now() - since);
      // The next maintenance releases the jobs of a dead pool. It may run after everything else has settled.
      await eventually(async () => (await deadWorkerPools(sql)).length === 0, settlesWithinMs).catch(() => {});
      const evidence = await gather(sql, id, acknowledged, subscribers);
      const findings = judge(evidence);
      console.info(`${fault}: ${count(evidence)}; all settled ${settled} after the fault`);
      reportCounts(fault, { ...countFaults(evidence, findings), note: noteOf(evidence) });
      expect(evidence.events.length).toBeGreaterThan(0);
      expect(findings).toEqual([]);
      return evidence;
    },
  };
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
