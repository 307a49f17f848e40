/** The compared systems: each runs in a process of its own, so that none shares an event loop with another system or with the load. */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import type { Profiler } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../src/config.ts";
import { ofEveryPart } from "../src/processes/part-environment.ts";
import type { Data } from "./data.ts";
import { nodeFlags } from "./processes.ts";
import type { Command, Reply, Settings, Usage } from "./systems/system.ts";

export type SystemName =
  | ("baseline" | "bare" | "botstead" | "shared" | "directory" | "executor" | "worker")
  | ("better-auth" | "postgraphile" | "dbos" | "graphile-worker");
export type System = {
  url: string;
  usage(): Promise<Usage>;
  /** Returns a CPU profile of the process, taken during `work`. */
  profile(work: () => Promise<unknown>): Promise<Profiler.Profile>;
  stop(): Promise<void>;
};

/** The compile cache of `npm start`. */
const compileCache = fileURLToPath(new URL("../node_modules/.cache/botstead", import.meta.url));

const compiled = new Set<SystemName>();
const fileOf = (name: SystemName) => fileURLToPath(new URL(`./systems/${name}.ts`, import.meta.url));

// Production settings, as the documentation of each system advises. The compile cache is filled before, as by a first
// `npm start`: the process that strips types needs 25 MB more.
const environment = () => environmentWith({ ...ofEveryPart, NODE_COMPILE_CACHE: compileCache });

/** Fills the compile cache by a process that exits. Call it before measuring how long a start takes. */
export function compileSystem(name: SystemName): void {
  if (compiled.has(name)) return;
  spawnSync(process.execPath, [fileOf(name)], { env: environment() });
  compiled.add(name);
}

/** Connections of the pool of each system. */
const poolSize = 10;

export async function startSystem(
  name: SystemName,
  { adminUrl, key, targets }: Pick<Data, "adminUrl" | "key" | "targets">,
  { profile, receivers, directory }: { profile?: string | undefined } & Pick<Settings, "receivers" | "directory"> = {},
): Promise<System> {
  const execArgv = ["botstead", "shared", "directory"].includes(name) ? nodeFlags() : [];
  if (profile) execArgv.push("--cpu-prof", `--cpu-prof-dir=${profile}`);
  compileSystem(name);
  const child = fork(fileOf(name), { execArgv, env: environment() });
  const passwords = Object.fromEntries(["server", "worker", "runner"].map((role) => [role, key.password(role)]));
  const masterKey = {
    sealing: key.sealing.toString("base64"),
    checkpoints: key.checkpoints.toString("base64"),
    passwords,
  };
  // A key has several targets, so callers are deduplicated by key.
  const callers = [...new Map(targets.map((target) => [target.bearer, target])).values()].map(
    ({ organisationId, personId, bearer }) => ({ organisationId, personId, bearer }),
  );
  const settings: Settings = { adminUrl, masterKey, poolSize, callers, receivers, directory };
  const { url } = await send<{ url: string }>(child, settings);
  return {
    url,
    usage: () => send<Usage>(child, "usage"),
    async profile(work) {
      await send(child, "startProfile");
      await work();
      return (await send<{ profile: Profiler.Profile }>(child, "stopProfile")).profile;
    },
    async stop() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.send("stop");
      await ended;
    },
  };
}

function send<Answer extends Reply>(child: ChildProcess, message: Settings | Command): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("A system exited before it answered: see its output above."));
    child.once("exit", ended);
    child.once("message", (answer) => {
      child.off("exit", ended);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}
