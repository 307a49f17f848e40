/** Packages of a folder of tools, which `npm ci` of the project leaves out. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Installs the packages of the folder's lock file, unless they are there. @param folder ends with a slash */
export function installPackages(folder: string): void {
  if (isCurrent(folder)) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--prefer-offline"], { cwd: folder, stdio: "ignore" });
}

type Packages = Record<string, { version: string; dependencies?: Record<string, string> }>;

/** npm leaves out packages for other systems, so only present packages can be compared. */
function isCurrent(folder: string): boolean {
  const wanted = packagesOf(`${folder}package-lock.json`);
  const present = packagesOf(`${folder}node_modules/.package-lock.json`);
  const direct = Object.keys(wanted[""]?.dependencies ?? {});
  return (
    direct.every((name) => `node_modules/${name}` in present) &&
    Object.entries(present).every(([path, { version }]) => wanted[path]?.version === version)
  );
}

const packagesOf = (file: string): Packages =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
