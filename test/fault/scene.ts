/**
 * Where faults are done: Botstead as `start` runs it, in processes of its own, a real receiver, and organisations whose
 * load and subscribers show what a fault loses.
 */
import { Pool, type QueryResultRow } from "pg";
import { findDatabase } from "../../src/database/access.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { callerOf } from "../support/api.ts";
import { makeKey } from "../support/database.ts";
import { type Hook, type Hooks, startHooks, status } from "../support/hooks.ts";
import { type House, house, type Started } from "../support/house.ts";
import { type Customer, customer } from "../support/post-office.ts";
import { killPrograms, type Settings } from "../support/program.ts";
import { tell } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { type Clients, clientsOf } from "./clients.ts";
import { type Evidence, gather, isMoving, type Sql, type Subscriber } from "./evidence.ts";
import { type Caller, type Load, startLoad } from "./load.ts";
import { count, countFaults, judge, noteOf } from "./oracle.ts";

export type Scene = {
  home: House;
  hooks: Hooks;
  /** As administrator, of the database that runs now. */
  sql: Sql;
  databaseUrl(): string;
  /** What was started last. */
  started(): Started;
  start(settings?: Settings): Promise<Started>;
  /** The worker that `start` keeps running; waits until there is another than `before`. */
  worker(before?: number): Promise<number>;
  tenant(): Promise<Tenant>;
  /** A mixed load of clients in organisations of their own. */
  beside: Clients["beside"];
  close(): Promise<void>;
};

export type Place = { home: Pick<House, "api">; hooks: Pick<Hooks, "hook">; sql: Sql };

export type Tenant = {
  who: Customer;
  /** Ids of the runs for which somebody was told 202. */
  acknowledged: string[];
  /** Takes every delivery at once. */
  prompt: Subscriber;
  subscribe(hook: Hook, url?: string): Promise<Subscriber>;
  load(): Load;
  /** Waits until the prompt subscriber takes a post that comes after this call. */
  untilTaken(): Promise<void>;
  /** Starts one run. */
  run(): Promise<string>;
  /**
   * The end of each fault: waits until nothing moves any more, prints and tells the counts, and holds all against all.
   *
   * @param since when the fault was over (performance.now)
   */
  expectNothingLost(fault: string, since: number): Promise<Evidence>;
};

/** Runs of a fault are more than the 120 an hour of one organisation. */
const manyRuns = 100_000;
const callersOfTenant = 3;
const settlesWithinMs = 75_000;

/** @param external DATABASE_URL and MASTER_KEY of a database that is not the house's own, or a DATA_DIR elsewhere */
export async function openScene(external: Record<string, string> = {}): Promise<Scene> {
  const hooks = await startHooks();
  const home = await house(hooks.receiver.ca, external);
  const where = { dataDir: home.dataDir, databaseUrl: external.DATABASE_URL };
  let started: Started | undefined;
  let pool: Pool | undefined;
  let address = "";
  const sql: Sql = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) => {
    if (!pool) throw new Error("nothing was started");
    return (await pool.query<Row>(text, values)).rows;
  };

  const scene: Scene = {
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
      await pool?.end(); // the embedded database may be on another port by now
      const key = loadMasterKey({ dataDir: home.dataDir, masterKey: external.MASTER_KEY });
      address = (await findDatabase(where, key)) ?? "";
      pool = new Pool({ connectionString: address, max: 4 });
      pool.on("error", () => {});
      return started;
    },
    async worker(before) {
      const found = () => scene.started().parts().worker?.pid;
      await eventually(async () => found() !== undefined && found() !== before, 30_000);
      return found() ?? 0;
    },
    tenant: () => makeTenant(scene),
    beside: () => clientsOf({ sql, url: rootOf(scene) }).beside(),
    async close() {
      await pool?.end();
      await home.remove();
      await killPrograms();
      await hooks.close();
    },
  };
  return scene;
}

const rootOf = ({ home }: Pick<Place, "home">) => home.api.replace("/api/v1", "");

/**
 * Waits until a run of a new organisation has ended and its subscriber was told: by somebody who works now, since who is gone or
 * stands still has nothing of it in hand.
 */
export async function untilWorkIsDone(place: Place): Promise<void> {
  const who = await customer({ db: place, api: { call: callerOf(rootOf(place)) } });
  const hook = place.hooks.hook();
  await who.subscribe(hook);
  await who.run();
  await eventually(async () => hook.posts().length > 0, 20_000);
}

/** @param place of which Botstead is asked through `home.api`, wherever and by whatever it is served */
export async function makeTenant(place: Place): Promise<Tenant> {
  const { hooks, sql } = place;
  const url = rootOf(place);
  const who = await customer({ db: { sql }, api: { call: callerOf(url) } });
  const { id, ownerId } = who.organisation;
  await sql("update app.organisations set hourly_run_ceiling = $2 where id = $1", [id, manyRuns]);
  const acknowledged: string[] = [];
  const subscribers: Subscriber[] = [];

  const subscribe: Tenant["subscribe"] = async (hook, address = hook.url) => {
    const subscriber = { ...(await who.subscribe({ ...hook, url: address })), hook };
    subscribers.push(subscriber);
    return subscriber;
  };
  const prompt = await subscribe(hooks.hook());
  // A receiver that refuses the first post of each delivery, so that some stand and wait for their next attempt.
  const met = new Set<unknown>();
  const reluctant: Hook["answer"] = (request, response) => {
    const delivery = request.headers["x-botstead-delivery"];
    status(met.has(delivery) ? 200 : 500)(request, response);
    met.add(delivery);
  };
  await subscribe(hooks.hook(reluctant));
  // And two for whom nothing is meant.
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
      await eventually(async () => posts() > before, 60_000);
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
      await eventually(rests, settlesWithinMs).catch(() => {}); // what did not come to rest, the oracle names
      const settled = seconds(performance.now() - since);
      const told = () => gather(sql, id, acknowledged, subscribers);
      // What a dead pool held is freed by the next sweep, which may come after all else is done.
      await eventually(async () => (await told()).deadPools.length === 0, settlesWithinMs).catch(() => {});
      const evidence = await told();
      const findings = judge(evidence);
      console.info(`${fault}: ${count(evidence)}; all settled ${settled} after the fault`);
      tell(fault, { ...countFaults(evidence, findings), note: noteOf(evidence) });
      expect(evidence.events.length).toBeGreaterThan(0);
      expect(findings).toEqual([]);
      return evidence;
    },
  };
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
