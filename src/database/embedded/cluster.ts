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

/**
 * Whether a cluster is there for these programs to run.
 *
 * @throws Error in one sentence for a cluster of another major version, or a folder with something else in it.
 */
export function hasCluster(cluster: string, version: string): boolean {
  const major = version.split(".")[0];
  let found: string;
  try {
    found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (listNames(cluster).length === 0) return false;
    throw new Error(`The folder ${cluster} holds something other than a PostgreSQL database.`);
  }
  if (found === major) return true;
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${found} and this is PostgreSQL ${major}, which cannot read it: dump it with ${found} and load it into a new data folder.`,
  );
}

/**
 * How to name `folder` to a program that runs as `account` with it as working directory. Node enters the directory
 * while it is still root, and Linux lets `/proc/self/cwd` lead back there without walking down to it: a data folder
 * under a 0700 home works, and nobody's permissions change.
 */
export function nameFor(account: Account | undefined, folder: string): string {
  if (!account || canReach(account, dirname(folder))) return folder;
  if (process.platform === "linux") return "/proc/self/cwd";
  throw new Error(`The user with id ${account.uid}, which PostgreSQL would run as, cannot reach ${folder}.`);
}

const NURSERY = "postgres.new-";

/**
 * Makes a cluster with the superuser `postgres`, all connections by password (SCRAM), UTF-8 by code point order, and
 * checksums. It is made beside its place and renamed when whole: a start that is killed meanwhile leaves a folder
 * that the next one clears away. About 0.7 s.
 */
export async function makeCluster(
  cluster: string,
  { binaries, account, password }: { binaries: Binaries; account: Account | undefined; password: string },
): Promise<void> {
  const folder = dirname(cluster);
  for (const name of listNames(folder).filter((left) => left.startsWith(NURSERY))) removeQuietly(join(folder, name));
  const nursery = mkdtempSync(join(folder, NURSERY));
  const [data, secret] = [join(nursery, "data"), join(nursery, "password")];
  try {
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(secret, `${password}\n`, { mode: 0o600, flag: "wx" });
    if (account) for (const path of [nursery, data, secret]) chownSync(path, account.uid, account.gid);
    const name = nameFor(account, data);
    await runInitdb(binaries, account, data, [
      ...["--pgdata", name, "--pwfile", name === data ? secret : `${name}/../password`],
      ...["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--data-checksums", "--no-instructions"],
      ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ]);
    renameSync(data, cluster);
    const entry = openSync(folder, "r");
    fsyncSync(entry); // initdb has synced what it made, and this the new name
    closeSync(entry);
  } finally {
    removeQuietly(nursery);
  }
}

function runInitdb({ initdb }: Binaries, account: Account | undefined, cwd: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, args, { cwd, env: ENVIRONMENT, stdio: ["ignore", "ignore", "pipe"], ...account });
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The database could not be made, initdb ended with ${signal ?? code}: ${told.trim()}`));
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

/** An initdb whose Node was killed may still write there and be in the way; then a later start clears up. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}
