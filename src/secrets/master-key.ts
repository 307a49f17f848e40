/**
 * The service's master key. Given as a setting, or made once and kept in the data folder, readable by its owner alone.
 * Everything that is sealed at rest and every password of a database role is derived from it.
 */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { deriveKey } from "./seal.ts";

export type MasterKey = {
  /** Seals webhook secrets at rest; 32 bytes. */
  sealing: Buffer;
  /** The password of a database role; base64url, 43 characters. */
  password(role: string): string;
};

type Where = Pick<Config, "masterKey" | "dataDir">;

/** Whether there is a key to load, given or kept; asking makes none. */
export function hasMasterKey({ masterKey, dataDir }: Where): boolean {
  return masterKey !== undefined || existsSync(pathIn(dataDir));
}

/** @throws Error in a sentence when the kept key is damaged, or gone from beside the database it belongs to. */
export function loadMasterKey(config: Where): MasterKey {
  return keyOf(config.masterKey ?? keptKey(config.dataDir));
}

/** @param text 32 bytes in base64 @throws Error in a sentence when it is not */
export function keyOf(text: string): MasterKey {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error("The master key is damaged: it is not 32 bytes of base64.");
  return {
    sealing: deriveKey(key, "", "webhook secrets v1"),
    password: (role) => deriveKey(key, "", `database role ${role} v1`).toString("base64url"),
  };
}

/** Two processes may start at once on an empty folder: the link fails for the second, who reads what the first wrote. */
function keptKey(dataDir: string): string {
  const path = pathIn(dataDir);
  const read = () => readFileSync(path, "utf8").trim();
  if (existsSync(successorIn(dataDir))) {
    throw new Error("A rotation of the master key was cut short; end it with: botstead master-key rotate");
  }
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  if (existsSync(join(dataDir, "postgres"))) {
    throw new Error(`The master key of the database in ${dataDir} is gone; put ${path} back from a copy.`);
  }
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read();
}

export function pathIn(dataDir: string): string {
  return join(dataDir, "master.key");
}

/** The key that a rotation is about to put in its place. */
export function successorIn(dataDir: string): string {
  return join(dataDir, "master.key.next");
}
