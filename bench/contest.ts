/** Contestants: processes of their own, so that none shares an event loop with another or with the load. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { MasterKey } from "../src/secrets/master-key.ts";
import type { Said, Settings, Spent } from "./contestants/settings.ts";
import { nodeFlags } from "./processes.ts";

export type ContestantName = "ground" | "bare" | "botstead" | "worker";
export type Contestant = { url: string; spent(): Promise<Spent>; stop(): Promise<void> };

/** Of every pool, the API's and those beside it. */
const poolSize = 10;

export async function startContestant(
  name: ContestantName,
  { adminUrl, key }: { adminUrl: string; key: MasterKey },
  { profile, receivers }: { profile?: string | undefined; receivers?: Settings["receivers"] } = {},
): Promise<Contestant> {
  const file = fileURLToPath(new URL(`./contestants/${name}.ts`, import.meta.url));
  const execArgv = name === "botstead" ? nodeFlags() : [];
  if (profile) execArgv.push("--cpu-prof", `--cpu-prof-dir=${profile}`);
  const child = fork(file, { execArgv });
  const passwords = Object.fromEntries(["server", "worker", "runner"].map((role) => [role, key.password(role)]));
  const masterKey = { sealing: key.sealing.toString("base64"), passwords };
  const { url } = await ask<{ url: string }>(child, { adminUrl, masterKey, poolSize, receivers } satisfies Settings);
  return {
    url,
    spent: () => ask<Spent>(child, "spent"),
    async stop() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.send("stop");
      await ended;
    },
  };
}

function ask<Answer extends Said>(child: ChildProcess, question: Settings | "spent"): Promise<Answer> {
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
