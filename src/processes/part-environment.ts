/** The environment of each process that `start` runs: its own, without the secrets of other parts. */
import { awaitsEnvironment, type Config, environmentWith, settingNames } from "../config.ts";
import { withoutLogin } from "../database/urls.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { secretsOf } from "../secrets/part-secrets.ts";

export const startedParts = ["api", "worker", "console"] as const;
export type StartedPart = (typeof startedParts)[number];

/** Settings with secrets, and the only parts that get each. */
const secretSettings: Record<string, readonly StartedPart[]> = {
  MASTER_KEY: [],
  NEW_MASTER_KEY: [],
  SMTP_URL: ["worker"],
  WEBHOOK_PROXY: ["api", "worker"],
  MODEL_API_KEY: ["worker"],
};

/** Variables from which PostgreSQL's client would read the administrator's login. */
const clientVariables = ["PGUSER", "PGPASSWORD", "PGPASSFILE", "PGSERVICE", "PGSERVICEFILE"];

export const ofEveryPart = {
  NODE_ENV: "production",
  GRAPHILE_ENV: "production",
  MALLOC_ARENA_MAX: "2", // glibc has several memory pools a thread by default, and returns little
};

const addressVariables = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL", "DIRECTORY_URL"];

/** The address of a part's database. @param adminUrl parts only get its server and database */
export function addressesOf(
  { poolerUrl, readUrl, directory }: Pick<Config, "poolerUrl" | "readUrl" | "directory">,
  adminUrl: string,
): Record<string, string> {
  return {
    DATABASE_URL: withoutLogin(poolerUrl ?? adminUrl),
    DATABASE_DIRECT_URL: poolerUrl ? withoutLogin(adminUrl) : "",
    DATABASE_READ_URL: readUrl ? withoutLogin(readUrl) : "",
    DIRECTORY_URL: directory ? withoutLogin(directory.url) : "",
  };
}

/** Settings that no file has: they are, or contain, secrets. */
export const secretNames = [...Object.keys(secretSettings), ...addressVariables];

/** @param addresses of its database; a part without them waits until its parent sends them */
export function environmentOfPart(
  part: StartedPart,
  key: MasterKey,
  addresses?: Record<string, string>,
): NodeJS.ProcessEnv {
  const withheld = settingNames.filter((name) => secretSettings[name]?.includes(part) === false);
  return environmentWith(
    {
      ...ofEveryPart,
      METRICS_PORT: "", // `start` serves the metrics of all parts
      ...secretsOf(part, key),
      ...(addresses ?? { [awaitsEnvironment]: "1" }),
    },
    [...withheld, ...clientVariables, ...addressVariables],
  );
}
