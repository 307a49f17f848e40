/**
 * The two keys of a rotation. A key that is kept in the data folder gets a successor beside it, written before anything is
 * sealed with it and put in its place when all is; whatever cuts that short is gone on with from what lies there. One that
 * is a setting is followed by another setting.
 */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../config.ts";
import { keyOf, type MasterKey, pathIn, successorIn } from "./master-key.ts";

export type Rotation = {
  from: MasterKey;
  to: MasterKey;
  /** Makes the new key the one in use. Answers what is to be done now, in a sentence. */
  settle(): string;
};

/** @throws Error in a sentence when there is no key to rotate, or no other to rotate to */
export function keysForRotation(config: Pick<Config, "masterKey" | "newMasterKey" | "dataDir">): Rotation {
  const { masterKey, newMasterKey, dataDir } = config;
  if (masterKey !== undefined) {
    if (newMasterKey === undefined) {
      throw new Error("Set NEW_MASTER_KEY to the key that is to follow MASTER_KEY (openssl rand -base64 32).");
    }
    if (newMasterKey === masterKey) throw new Error("NEW_MASTER_KEY is the key in use.");
    return {
      from: keyOf(masterKey),
      to: keyOf(newMasterKey),
      settle: () => "Set MASTER_KEY to the new key everywhere, then start the API, the workers and the console.",
    };
  }
  if (newMasterKey !== undefined) {
    throw new Error("NEW_MASTER_KEY goes with MASTER_KEY; for the key in the data folder a new one is made.");
  }
  const [path, successor] = [pathIn(dataDir), successorIn(dataDir)];
  if (!existsSync(path)) throw new Error(`There is no master key in ${dataDir}.`);
  if (!existsSync(successor)) keep(successor);
  return {
    from: keyOf(readFileSync(path, "utf8").trim()),
    to: keyOf(readFileSync(successor, "utf8").trim()),
    settle() {
      renameSync(successor, path);
      syncFolder(dirname(path));
      return `The new key is in ${path}. Copies of the old one open nothing any more but older backups.`;
    },
  };
}

/** Whole or not there: under another name first. */
function keep(path: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}

function syncFolder(folder: string): void {
  const entry = openSync(folder, "r");
  fsyncSync(entry);
  closeSync(entry);
}
