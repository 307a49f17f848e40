/** Contestants: processes of their own, so that none shares an event loop with another or with the load. */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import type { Profiler } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../src/config.ts";
import type { Question, Said, Settings, Spent } from "./contestants/settings.ts";
import type { Data } from "./data.ts";
import { nodeFlags } from "./processes.ts";

export type ContestantName = "ground" | "bare" | "botstead" | "shared" | "better-auth" | "postgraphile" | "worker";
export type Contestant = {
  url: string;
  spent(): Promise<Spent>;
  /** What JavaScript was at while the work was done. */
  profiled(work: () => Promise<unknown>): Promise<Profiler.Profile>;
  stop(): Promise<void>;
};

/** Where `npm start` keeps it too. */
const compiled = fileURLToPath(new URL("../node_modules/.cache/botstead", import.meta.url));

const compiledAlready = new Set<ContestantName>();
const fileOf = (name: ContestantName) => fileURLToPath(new URL(`./contestants/${name}.ts`, import.meta.url));

// As the documentation of each asks for where it is in use; and compiled already, as by the first `npm start`, since the one
// that strips types keeps 25 MB for it.
const environment = () =>
  environmentWith({ NODE_ENV: "production", GRAPHILE_ENV: "production", NODE_COMPILE_CACHE: compiled });

/** Once, by a process that ends; whoever measures how long a start takes does it before. */
export function compileContestant(name: ContestantName): void {
  if (compiledAlready.has(name)) return;
  spawnSync(process.execPath, [fileOf(name)], { env: environment() });
  compiledAlready.add(name);
}

/** Of every pool, the API's and those beside it. */
const poolSize = 10;

export async function startContestant(
  name: ContestantName,
  { adminUrl, key, targets }: Pick<Data, "adminUrl" | "key" | "targets">,
  { profile, receivers }: { profile?: string | undefined; receivers?: Settings["receivers"] } = {},
): Promise<Contestant> {
  const execArgv = name === "botstead" || name === "shared" ? nodeFlags() : [];
  if (profile) execArgv.push("--cpu-prof", `--cpu-prof-dir=${profile}`);
  compileContestant(name);
  const child = fork(fileOf(name), { execArgv, env: environment() });
  const passwords = Object.fromEntries(["server", "worker", "runner"].map((role) => [role, key.password(role)]));
  const masterKey = { sealing: key.sealing.toString("base64"), passwords };
  // A key has several targets.
  const callers = [...new Map(targets.map((target) => [target.bearer, target])).values()].map(
    ({ organisationId, personId, bearer }) => ({ organisationId, personId, bearer }),
  );
  const settings: Settings = { adminUrl, masterKey, poolSize, callers, receivers };
  const { url } = await ask<{ url: string }>(child, settings);
  return {
    url,
    spent: () => ask<Spent>(child, "spent"),
    async profiled(work) {
      await ask(child, "sample");
      await work();
      return (await ask<{ profile: Profiler.Profile }>(child, "profile")).profile;
    },
    async stop() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.send("stop");
      await ended;
    },
  };
}

function ask<Answer extends Said>(child: ChildProcess, question: Settings | Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("A contestant ended by itself."));
    child.once("exit", ended);
    child.once("message", (answer) => {
      child.off("exit", ended);
      resolve(answer as Answer);
    });
    child.send(question);
  });
}
