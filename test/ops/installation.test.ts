/** The installation: its size on the disk, and that no package needs an install script or lacks a digest. */
import { globSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../support/doc-blocks.ts";

type Package = { dev?: boolean; hasInstallScript?: boolean; integrity?: string; resolved?: string; inBundle?: boolean };

const read = (file: string) => JSON.parse(readFileSync(inProject(file), "utf8"));
const packagesOf = (lock: string) => Object.entries(read(lock).packages as Record<string, Package>).slice(1);

/** Bytes on the disk, as `du` counts them, without the packages inside. */
function bytesOf(folder: string): number {
  const inside = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== "node_modules");
  const own = lstatSync(folder).blocks * 512;
  return inside.reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).blocks * 512);
  }, own);
}

test.each([
  ["npm ci", 535, () => true],
  ["npm ci --omit=dev", 420, ({ dev }: Package) => !dev],
])("%s takes at most %d MiB", (_command, maxMegabytes, isInstalled) => {
  const present = packagesOf("package-lock.json").filter(
    ([path, each]) => isInstalled(each) && lstatSync(inProject(path), { throwIfNoEntry: false }),
  );
  expect(present.length).toBeGreaterThan(100);
  const megabytes = present.reduce((sum, [path]) => sum + bytesOf(inProject(path)), 0) / 2 ** 20;
  expect(megabytes).toBeLessThanOrEqual(maxMegabytes);
});

test("package.json allows no install script, and names each package that has one", () => {
  const scripted = packagesOf("package-lock.json").filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([path]) => path.split("node_modules/").at(-1));
  const { allowScripts } = read("package.json");
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(names)].toSorted());
  expect(Object.values(allowScripts)).toEqual(names.map(() => false));
});

const locks = globSync("{,bench/,tools/*/,test/support/*/}package-lock.json", { cwd: inProject(".") });

test.each(locks)("%s has the digest of each package, and no address", (lock) => {
  const wrong = packagesOf(lock).filter(
    ([, { integrity, resolved, inBundle }]) => (!integrity && !inBundle) || resolved,
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
  expect(readFileSync(inProject(lock.replace("package-lock.json", ".npmrc")), "utf8")).toContain(
    "omit-lockfile-registry-resolved=true",
  );
});
