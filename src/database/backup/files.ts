/** Files that are on disk when the call returns, and their digests. */
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, readSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const chunk = Buffer.alloc(1024 * 1024);

export type Digest = { size: number; sha256: string };

/** Reads a file to its end, and writes it to `to`, which must not exist, with mode 0600. */
export function digestFile(from: string, to?: string): Digest {
  const source = openSync(from, "r");
  const target = to === undefined ? undefined : openSync(to, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let size = 0;
    for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk)) {
      const bytes = chunk.subarray(0, read);
      hash.update(bytes);
      if (target !== undefined) for (let at = 0; at < read; ) at += writeSync(target, bytes, at);
      size += read;
    }
    if (target !== undefined) fsyncSync(target);
    return { size, sha256: hash.digest("hex") };
  } finally {
    closeSync(source);
    if (target !== undefined) closeSync(target);
  }
}

/** Replaces the file in one step. */
export function writeDurably(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, path);
  syncFolder(join(path, ".."));
}

export function syncFolder(folder: string): void {
  const entry = openSync(folder, "r");
  fsyncSync(entry);
  closeSync(entry);
}

/** Files and folders below `root`, by path relative to it, a folder before its content. Descends unless `skips` it. */
export function* walk(root: string, skips: (path: string) => boolean, below = ""): Generator<Entry> {
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    yield { path, isFolder: entry.isDirectory() };
    if (entry.isDirectory() && !skips(path)) yield* walk(root, skips, path);
  }
}

type Entry = { path: string; isFolder: boolean };
