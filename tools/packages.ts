/**
 * Packages of a folder with a lock file of its own, which `npm ci` of the project leaves out.
 *
 *     node tools/packages.ts bench tools/lint
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** Installs the packages of the folder's lock file, unless they are there. Concurrent calls are safe. */
export function installPackages(folder: string): void {
  if (isCurrent(folder)) return;
  const fresh = mkdtempSync(join(folder, ".packages-"));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"])
      copyFileSync(join(folder, file), join(fresh, file));
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--prefer-offline"], {
      cwd: fresh,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (isCurrent(folder)) return;
    moveIfPresent(join(folder, "node_modules"), join(fresh, "former")); // a removal could remove what another process installs
    renameSync(join(fresh, "node_modules"), join(folder, "node_modules"));
  } catch (error) {
    if (!isCurrent(folder)) throw error; // another process was faster
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function moveIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

type Packages = Record<string, { version: string; dependencies?: Record<string, string> }>;

/** npm leaves out packages for other systems, so only present packages can be compared. */
function isCurrent(folder: string): boolean {
  const wanted = packagesOf(join(folder, "package-lock.json"));
  const present = packagesOf(join(folder, "node_modules/.package-lock.json"));
  const direct = Object.keys(wanted[""]?.dependencies ?? {});
  return (
    direct.every((name) => `node_modules/${name}` in present) &&
    Object.entries(present).every(([path, { version }]) => wanted[path]?.version === version)
  );
}

const packagesOf = (file: string): Packages =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};

if (import.meta.main) for (const folder of process.argv.slice(2)) installPackages(resolve(folder));
