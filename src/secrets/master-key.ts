/**
 * The service's master key. Given as a setting, or made once and kept in the data folder, readable by its owner alone.
 * Everything that is sealed at rest and every password of a database role is derived from it.
 */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { deriveKey } from "./seal.ts";

export type MasterKey = {
  /** Seals webhook secrets at rest; 32 bytes. */
  sealing: Buffer;
  /** The password of a database role; base64url, 43 characters. */
  password(role: string): string;
};

/** @throws Error when the kept key is not 32 bytes of base64. */
export function loadMasterKey(config: Pick<Config, "masterKey" | "dataDir">): MasterKey {
  const key = Buffer.from(config.masterKey ?? keptKey(config.dataDir), "base64");
  if (key.length !== 32)
    throw new Error(`The master key in ${config.dataDir} is damaged: it is not 32 bytes of base64.`);
  return {
    sealing: deriveKey(key, "", "webhook secrets v1"),
    password: (role) => deriveKey(key, "", `database role ${role} v1`).toString("base64url"),
  };
}

/** Two processes may start at once on an empty folder: the link fails for the second, who reads what the first wrote. */
function keptKey(dataDir: string): string {
  const path = join(dataDir, "master.key");
  const read = () => readFileSync(path, "utf8").trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read();
}
