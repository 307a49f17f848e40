/**
 * Both keys of a rotation. For a key in the data folder, the new key is written beside it first and renamed when all
 * values are resealed; an interrupted rotation continues with it. For a key in MASTER_KEY, the new one is in
 * NEW_MASTER_KEY.
 */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../config.ts";
import { keyOf, type MasterKey, pathIn, refusePartSecrets, successorIn } from "./master-key.ts";

export type Rotation = {
  from: MasterKey;
  to: MasterKey;
  /** Makes the new key the current one. Returns the next step for the operator. */
  settle(): string;
};

/** @throws Error if there is no key to rotate, or no new key */
export function keysForRotation(
  config: Pick<Config, "masterKey" | "newMasterKey" | "dataDir"> & Partial<Pick<Config, "partSecrets">>,
): Rotation {
  refusePartSecrets(config);
  const { masterKey, newMasterKey, dataDir } = config;
  if (masterKey !== undefined) {
    if (newMasterKey === undefined) {
      throw new Error("Set NEW_MASTER_KEY to the key that replaces MASTER_KEY (openssl rand -base64 32).");
    }
    if (newMasterKey === masterKey) throw new Error("NEW_MASTER_KEY equals MASTER_KEY: set it to a new key.");
    return {
      from: keyOf(masterKey),
      to: keyOf(newMasterKey),
      settle: () =>
        "Set MASTER_KEY to the new key, print the secrets of each process again, then start the API, the workers and the console.",
    };
  }
  if (newMasterKey !== undefined) {
    throw new Error("NEW_MASTER_KEY needs MASTER_KEY; the key in the data folder gets a generated successor.");
  }
  const [path, successor] = [pathIn(dataDir), successorIn(dataDir)];
  if (!existsSync(path)) {
    const hint = existsSync(successor) ? ` Rename ${successor}, the key of an interrupted rotation, to ${path}.` : "";
    throw new Error(`There is no master key in ${dataDir}.${hint}`);
  }
  if (!existsSync(successor)) writeNewKey(successor);
  return {
    from: keyOf(readFileSync(path, "utf8").trim()),
    to: keyOf(readFileSync(successor, "utf8").trim()),
    settle() {
      renameSync(successor, path);
      syncFolder(dirname(path));
      return `The new key is in ${path}. The old key only opens older backups.`;
    },
  };
}

/** Written under another name and renamed, so that the file is complete or missing. */
function writeNewKey(path: string): void {
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
