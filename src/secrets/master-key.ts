/**
 * The master key: a setting, or created once in the data folder, readable only by its owner. All sealing keys and
 * passwords of database roles are derived from it.
 */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { deriveKey, type Purpose } from "./seal.ts";

export type MasterKey = {
  /** Seals webhook secrets at rest; 32 bytes. */
  sealing: Buffer;
  /** Seals the tokens of invitation links until they are mailed; 32 bytes. Derived from `sealing`. */
  invitations: Buffer;
  /** Signs checkpoints of the audit log; 32 bytes. */
  checkpoints: Buffer;
  /** The password of a database role; base64url, 43 characters. */
  password(role: string): string;
};

type Where = Pick<Config, "masterKey" | "dataDir"> & Partial<Pick<Config, "partSecrets">>;

/** The end of each message about another or a missing master key. */
export const ifKeyIsLost =
  "If it is lost, stop all processes and run: botstead migrate --lost-master-key (docs/backups.md#a-lost-master-key)";

/** Whether a master key is set or stored. Creates none. */
export function hasMasterKey({ masterKey, dataDir }: Where): boolean {
  return masterKey !== undefined || existsSync(pathIn(dataDir));
}

/**
 * @param isLost creates a missing key also beside a database
 * @throws Error if this process only has the secrets of one part, or the stored key is damaged, or missing beside its
 * database
 */
export function loadMasterKey(config: Where, isLost = false): MasterKey {
  refusePartSecrets(config);
  return keyOf(config.masterKey ?? storedKey(config.dataDir, isLost));
}

/** @throws Error if this process only has the secrets of one part */
export function refusePartSecrets({ partSecrets }: Pick<Where, "partSecrets">): void {
  if (partSecrets?.DATABASE_PASSWORD) {
    throw new Error("This command needs MASTER_KEY: DATABASE_PASSWORD is the password of a single login.");
  }
}

const damaged =
  "The master key is damaged: it is not 32 bytes of base64. Restore it from a backup. If it is lost, remove its file, " +
  "stop all processes and run: botstead migrate --lost-master-key (docs/backups.md#a-lost-master-key)";

/** @param text 32 bytes in base64 @throws Error otherwise */
export function keyOf(text: string): MasterKey {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error(damaged);
  const sealing = deriveKey(key, "", "webhook secrets v1");
  return {
    sealing,
    invitations: deriveInvitationKey(sealing),
    checkpoints: deriveKey(key, "", "audit checkpoints v1"),
    password: (role) => deriveKey(key, "", `database role ${role} v1`).toString("base64url"),
  };
}

/** A separate key, so that a process that seals links cannot open webhook secrets. */
export function deriveInvitationKey(sealing: Buffer): Buffer {
  return deriveKey(sealing, "", "invitation tokens v1");
}

/** The keys that may open a value for this purpose. New values use the first key. The second is the key of 0.1.0. */
export function keysFor(purpose: Purpose, { sealing, invitations }: MasterKey): [Buffer, ...Buffer[]] {
  return purpose === "invitation-token" ? [invitations, sealing] : [sealing];
}

/** Two processes may start at once in an empty folder: the link fails for the second, which reads the first key. */
function storedKey(dataDir: string, isLost: boolean): string {
  const path = pathIn(dataDir);
  const read = () => readFileSync(path, "utf8").trim();
  if (existsSync(successorIn(dataDir))) {
    throw new Error("A rotation of the master key was interrupted; complete it with: botstead master-key rotate");
  }
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  if (existsSync(join(dataDir, "postgres")) && !isLost) {
    throw new Error(
      `The master key of the database in ${dataDir} is missing; restore ${path} from a backup. ${ifKeyIsLost}`,
    );
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

/** The next key during a rotation. */
export function successorIn(dataDir: string): string {
  return join(dataDir, "master.key.next");
}
