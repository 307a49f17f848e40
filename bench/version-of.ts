import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The installed version of a package. Some packages do not export their package.json, so it is read by path. */
export function versionOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path));
  return (JSON.parse(readFileSync(file ?? "", "utf8")) as { version: string }).version;
}
