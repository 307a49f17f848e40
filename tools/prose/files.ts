/** The files that the prose check looks at, below the given paths. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const folders = [".ci", "bench", "clients", "docs", "examples", "migrations", "ops", "sql", "src", "test", "tools"];
const skippedFolders = new Set(["node_modules", "dist", "generated"]);

/** @returns paths from `root`, or absolute ones for files outside it */
export function listFiles(root: string, paths: string[]): string[] {
  const starts = paths.length > 0 ? paths : [...folders, ...rootFiles(root)];
  return [...new Set(starts.flatMap((path) => below(root, path)))].sort();
}

const rootFiles = (root: string) =>
  readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));

function below(root: string, path: string): string[] {
  const full = path.startsWith("/") ? path : join(root, path);
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    if (skippedFolders.has(entry.name) || entry.name.startsWith(".")) return [];
    return below(root, join(path, entry.name));
  });
}
