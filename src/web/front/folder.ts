/** The folder of the built programs for browsers: named by a hash of their sources, so that a build is never out of date. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The sources of all programs for browsers. */
export const frontSources = join(root, "src/front");
/** Queries that the console's program contains. */
const queries = join(root, "src/console/queries");

/** Files outside that the programs import, besides types. .dependency-cruiser.js allows nothing else. */
const outside = [
  "src/contract/reasons.ts",
  "src/contract/limits.ts",
  "src/routines/cron.ts",
  "src/routines/next-firing.ts",
  "src/routines/zone.ts",
  "src/contract/enumerations.ts",
  "src/contract/event-kinds.ts",
  "src/contract/event-examples.ts",
  "src/contract/preview.ts",
  "src/contract/export-files.ts",
  "src/contract/body-limits.ts",
  "src/contract/examples.ts",
];

/**
 * Absolute path; the folder may not exist yet. The hash covers the lock file and not package.json, which the image changes.
 */
export function frontFolder(): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const path of outside) hash.update(readFileSync(join(root, path)));
  const entries = [frontSources, queries].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).toSorted(byPath),
  );
  for (const file of entries) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path));
  }
  return join(root, "node_modules/.cache/botstead-front", hash.digest("base64url").slice(0, 16));
}

const byPath = (a: Path, b: Path) => (join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1);
type Path = { parentPath: string; name: string };
