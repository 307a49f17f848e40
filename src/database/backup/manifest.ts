/** PostgreSQL's format of `backup_manifest`, so that pg_verifybackup can check our backups too. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { digestFile, walk, writeDurably } from "./files.ts";

const fileName = "backup_manifest";

export type ListedFile = { path: string; size: number; sha256: string; modified: Date };
type Range = { timeline: number; start: string; end: string };

/** Written last: a folder without it is no backup. */
export function writeManifest(folder: string, systemId: string, files: ListedFile[], range: Range): void {
  const listed = files.map(
    ({ path, size, sha256, modified }) =>
      `{ "Path": ${JSON.stringify(path)}, "Size": ${size}, "Last-Modified": "${timestamp(modified)}", ` +
      `"Checksum-Algorithm": "SHA256", "Checksum": "${sha256}" }`,
  );
  const text = [
    `{ "PostgreSQL-Backup-Manifest-Version": 2,`,
    `"System-Identifier": ${systemId},`,
    `"Files": [`,
    listed.join(",\n"),
    "],",
    `"WAL-Ranges": [`,
    `{ "Timeline": ${range.timeline}, "Start-LSN": "${range.start}", "End-LSN": "${range.end}" }`,
    "],\n",
  ].join("\n");
  writeDurably(join(folder, fileName), `${text}"Manifest-Checksum": "${digest(text)}"}\n`);
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const timestamp = (time: Date) => time.toISOString().replace("T", " ").replace(/\..*/, " GMT");

/** @throws Error if the manifest is missing, incomplete or altered */
export function readManifest(folder: string): ListedFile[] {
  const path = join(folder, fileName);
  if (!existsSync(path)) throw new Error(`The folder ${folder} is no backup: it has no ${fileName}.`);
  const text = readChecked(path);
  if (text === undefined) throw new Error(`The file ${path} is damaged: its checksum differs.`);
  const { Files } = JSON.parse(`${text}"":0}`) as { Files: Record<"Path" | "Checksum" | "Last-Modified", string>[] };
  return Files.map((file) => ({
    path: file.Path,
    size: Number((file as unknown as { Size: number }).Size),
    sha256: file.Checksum,
    modified: new Date(file["Last-Modified"]),
  }));
}

/** The manifest without its checksum; undefined if the checksum differs. */
function readChecked(path: string): string | undefined {
  const [, text = "", checksum] =
    readFileSync(path, "utf8").match(/^([\s\S]*\n)"Manifest-Checksum": "(\w+)"}\n$/) ?? [];
  return digest(text) === checksum ? text : undefined;
}

/**
 * Compares every file with the manifest. Returns a sentence for each that is missing, altered or not listed.
 *
 * @throws Error if the folder has no manifest
 */
export function verifyFiles(folder: string): string[] {
  const path = join(folder, fileName);
  if (existsSync(path) && readChecked(path) === undefined) return [`${fileName} is damaged.`];
  const files = new Map(readManifest(folder).map((file) => [file.path, file]));
  const unlisted = [...walk(folder, () => false)]
    .filter(({ path, isFolder }) => !isFolder && path !== fileName && !files.has(path))
    .map(({ path }) => `${path} is not in the manifest.`);
  const faults = [...files.values()].flatMap(({ path, size, sha256 }) => {
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    if (!found) return [`${path} is missing.`];
    const same = found.size === size && digestFile(join(folder, path)).sha256 === sha256;
    return same ? [] : [`${path} is damaged.`];
  });
  return [...faults, ...unlisted];
}
