/** Settings of the database, and the secrets from which its logins and its sealed rows depend. */
import { resolve } from "node:path";
import { z } from "zod";
import { key, postgresUrl } from "./kinds.ts";

const masterKey = key("must be 32 bytes in base64 (openssl rand -base64 32)");
const derivedKey = key('must be a key that "botstead secrets" prints');

/** Secrets of one process, derived from the master key. */
const ofPart = {
  DATABASE_PASSWORD: z.string().optional(),
  EXECUTOR_PASSWORD: z.string().optional(),
  SEALING_KEY: derivedKey,
  INVITATION_KEY: derivedKey,
  AUDIT_KEY: derivedKey,
};
type PartSecret = keyof typeof ofPart;
const partSecrets = Object.keys(ofPart) as PartSecret[];

/** In the working directory. */
export const defaultDataDir = ".botstead";

export const databaseSettings = z.object({
  DATA_DIR: z.string().min(1).default(defaultDataDir),
  BACKUP_DIR: z.string().min(1).optional(),
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  MASTER_KEY: masterKey,
  NEW_MASTER_KEY: masterKey,
  ...ofPart,
});

export type DatabaseConfig = {
  /** Absolute. */
  dataDir: string;
  /** Absolute. Backups and the WAL archive of the embedded server. Unset: no archive. */
  backupDir: string | undefined;
  /** PostgreSQL itself. Unset: the embedded server in dataDir. */
  databaseUrl: string | undefined;
  /** A pooler in transaction mode for API calls. Unset: they connect to PostgreSQL itself. */
  poolerUrl: string | undefined;
  /** A streaming replica for reads. Unset: the primary answers all. */
  readUrl: string | undefined;
  /** 32 bytes in base64. Unset: generated once and stored in dataDir. */
  masterKey: string | undefined;
  /** The key that replaces masterKey in a rotation. */
  newMasterKey: string | undefined;
  /** The secrets of one process instead of the master key, by name of setting. */
  partSecrets: Partial<Record<PartSecret, string>>;
};

/** Settings that need or exclude others, a sentence each. */
export function databaseFaults(given: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  const needsUrl = (name: string, what: string) => {
    if (given[name] && !given.DATABASE_URL) {
      faults.push(`DATABASE_URL must be set when ${name} is: it says where the ${what} is.`);
    }
  };
  if (given.DATABASE_URL && !given.MASTER_KEY && !given.DATABASE_PASSWORD) {
    faults.push(
      "MASTER_KEY must be set when DATABASE_URL is, or the secrets of one process, which botstead secrets prints.",
    );
  }
  for (const name of partSecrets) {
    if (given[name] && given.MASTER_KEY) {
      faults.push(`${name} and MASTER_KEY can't both be set: the first is derived from the second.`);
    } else needsUrl(name, "database");
  }
  needsUrl("DATABASE_DIRECT_URL", "pooler");
  needsUrl("DATABASE_READ_URL", "primary");
  return faults;
}

export function databaseConfig(value: z.infer<typeof databaseSettings>): DatabaseConfig {
  const secrets = partSecrets.map((name) => [name, value[name]]).filter(([, secret]) => secret !== undefined);
  return {
    dataDir: resolve(value.DATA_DIR),
    backupDir: value.BACKUP_DIR && resolve(value.BACKUP_DIR),
    // With DATABASE_DIRECT_URL, DATABASE_URL is the pooler's.
    databaseUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL,
    poolerUrl: value.DATABASE_DIRECT_URL && value.DATABASE_URL,
    readUrl: value.DATABASE_READ_URL,
    masterKey: value.MASTER_KEY,
    newMasterKey: value.NEW_MASTER_KEY,
    partSecrets: Object.fromEntries(secrets),
  };
}
