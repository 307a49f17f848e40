import { spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Account, canReach } from "./account.ts";
import { type Binaries, ENVIRONMENT } from "./binaries.ts";
import { reasonIn } from "./reason.ts";

/**
 * Whether a cluster exists that these programs can run.
 *
 * @throws Error for a cluster of another major version, or a folder with other content
 */
export function hasCluster(cluster: string, version: string): boolean {
  const major = version.split(".")[0];
  let found: string;
  try {
    found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (listNames(cluster).length === 0) return false;
    throw new Error(`The folder ${cluster} contains something other than a PostgreSQL database.`);
  }
  if (found === major) return true;
  throw new Error(
    `The database in ${cluster} was created by PostgreSQL ${found}; PostgreSQL ${major} cannot read it. Dump it with ${found} and restore the dump into a new data folder.`,
  );
}

/**
 * A path for `folder` as working directory of a program that runs as `account`. Node enters the directory as root, and
 * on Linux `/proc/self/cwd` names it without traversing its parents. So a data folder below a 0700 home works without
 * changed permissions.
 */
export function nameFor(account: Account | undefined, folder: string): string {
  if (!account || canReach(account, dirname(folder))) return folder;
  if (process.platform === "linux") return "/proc/self/cwd";
  throw new Error(`The user with id ${account.uid}, which PostgreSQL would run as, cannot reach ${folder}.`);
}

const TEMPORARY = "postgres.new-";

/**
 * Creates a cluster: superuser `postgres`, password authentication (SCRAM), UTF-8, code point order, checksums. Takes
 * about 0.7 s. The folder is renamed into place when complete; the next start removes the folder of a killed one.
 */
export async function createCluster(
  cluster: string,
  { binaries, account, password }: { binaries: Binaries; account: Account | undefined; password: string },
): Promise<void> {
  const folder = dirname(cluster);
  for (const name of listNames(folder).filter((left) => left.startsWith(TEMPORARY))) removeQuietly(join(folder, name));
  const temporary = mkdtempSync(join(folder, TEMPORARY));
  const [data, secret] = [join(temporary, "data"), join(temporary, "password")];
  try {
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(secret, `${password}\n`, { mode: 0o600, flag: "wx" });
    if (account) for (const path of [temporary, data, secret]) chownSync(path, account.uid, account.gid);
    const name = nameFor(account, data);
    await runInitdb(binaries, account, data, [
      ...["--pgdata", name, "--pwfile", name === data ? secret : `${name}/../password`],
      ...["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--data-checksums", "--no-instructions"],
      ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ]);
    renameSync(data, cluster);
    const entry = openSync(folder, "r");
    fsyncSync(entry); // initdb has synced the files, this syncs the new name
    closeSync(entry);
  } finally {
    removeQuietly(temporary);
  }
}

function runInitdb({ initdb }: Binaries, account: Account | undefined, cwd: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, args, {
      cwd,
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "pipe"],
      detached: true, // so that Ctrl-C in a terminal does not end it
      ...account,
    });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`The database could not be created: ${reasonIn(output) ?? `initdb ended with ${signal ?? code}`}.`),
        );
    });
  });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** An initdb whose parent was killed may still write there; then a later start removes the folder. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}
