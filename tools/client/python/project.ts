/**
 * The Python package as it is built: the files of clients/python, and the files that are made from docs/openapi.json. The folder is
 * named by a hash of its files, so that it is never out of date.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonPackage } from "./package.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const written = join(root, "clients/python");

/** Makes the folder, unless it exists. @returns its absolute path */
export function pythonProject(): string {
  const made = pythonPackage(JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")));
  const hash = createHash("sha256").update(JSON.stringify(made));
  for (const file of readdirSync(written, { recursive: true, encoding: "utf8" }).filter(isSource).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(written, file)));
  }
  const folder = join(root, "node_modules/.cache/botstead-python", hash.digest("base64url").slice(0, 16));
  if (!existsSync(folder)) make(folder, made);
  return folder;
}

const isSource = (path: string) => /\.(py|typed|toml|md)$|(^|\/)LICENSE$/.test(path);

function make(folder: string, files: Record<string, string>): void {
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}.`);
  try {
    cpSync(written, partial, { recursive: true, filter: (path) => !["dist", "__pycache__"].includes(basename(path)) });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(partial, "src/botstead", name), text);
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // another process has made it meanwhile
  }
}

if (import.meta.main) pythonProject();
