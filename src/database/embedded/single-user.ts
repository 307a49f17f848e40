import { spawn } from "node:child_process";
import { scramVerifier } from "../role-passwords.ts";
import type { Account } from "./account.ts";
import { type Binaries, ENVIRONMENT } from "./binaries.ts";
import { nameFor } from "./cluster.ts";
import { reasonIn } from "./reason.ts";
import { onceFree } from "./server.ts";
import { type Settings, settingArguments } from "./settings.ts";

type Replacement = {
  binaries: Binaries;
  account: Account | undefined;
  cluster: string;
  /** As of the server: with another archive_mode, WAL that waits for the archive could be removed. */
  settings: Settings;
  password: string;
};

/**
 * Sets the superuser's password while no server runs, in PostgreSQL's single-user mode, which asks for no password. It first
 * recovers a cluster whose server was killed.
 *
 * @throws Error with PostgreSQL's reason
 */
export const replacePassword = (options: Replacement): Promise<void> => onceFree(() => replaceOnce(options));

function replaceOnce({ binaries, account, cluster, settings, password }: Replacement): Promise<void> {
  const args = ["--single", "-D", nameFor(account, cluster), ...settingArguments(settings, { exit_on_error: "on" })];
  const child = spawn(binaries.postgres, [...args, "postgres"], {
    cwd: cluster,
    detached: true, // so that Ctrl-C in a terminal does not end it
    stdio: ["pipe", "ignore", "pipe"],
    env: ENVIRONMENT,
    ...account,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdin.on("error", () => {}); // it ended before it read the statement: see its reason
  child.stdin.end(`alter role postgres password '${scramVerifier(password)}'\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("error", reject);
  child.once("close", (code, signal) => {
    if (code === 0) resolve();
    else {
      const reason = reasonIn(said) ?? signal ?? code;
      reject(new Error(`The administrator's password was not set: ${reason}.`, { cause: said }));
    }
  });
  return promise;
}
