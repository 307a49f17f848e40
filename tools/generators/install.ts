/** The packages of this folder, which `npm ci` of the project leaves out. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const generators = fileURLToPath(new URL(".", import.meta.url));

/** Installs the packages of the lock file, unless they are there. */
export function installGenerators(): void {
  if (isCurrent()) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--prefer-offline"], {
    cwd: generators,
    stdio: "ignore",
  });
}

type Packages = Record<string, { version: string; dependencies?: Record<string, string> }>;

/** npm leaves out packages for other systems, so only present packages can be compared. */
function isCurrent(): boolean {
  const [wanted, present] = [packagesOf("package-lock.json"), packagesOf("node_modules/.package-lock.json")];
  const direct = Object.keys(wanted[""]?.dependencies ?? {});
  return (
    direct.every((name) => `node_modules/${name}` in present) &&
    Object.entries(present).every(([path, { version }]) => wanted[path]?.version === version)
  );
}

function packagesOf(name: string): Packages {
  return existsSync(generators + name) ? JSON.parse(readFileSync(generators + name, "utf8")).packages : {};
}
