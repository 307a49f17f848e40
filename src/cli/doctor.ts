/** `botstead doctor`: checks of the installation. Exit code 1 if one failed. */
import { statfs } from "node:fs/promises";
import { Command } from "commander";
import type { Client } from "pg";
import { misspelledSettings } from "../config.ts";
import { definitionsDigest } from "../database/definitions.ts";
import { refusedLogin, requireLogins } from "../database/logins.ts";
import { loginRoles } from "../database/roles.ts";
import { version } from "../version.ts";
import { connectedAs, type Place, runningDatabase } from "./database.ts";
import { type Format, print, printable } from "./output.ts";

type Check = { check: string; result: "ok" | "warning" | "failed" | "unknown"; found: string; remedy?: string | null };

/** Times in the audit log and leases come from the database, those of requests from the API. */
const maxClockDifferenceMs = 1_000;
const leastFreeShare = 0.1;

export function doctorCommand(): Command {
  return printable(new Command("doctor").description("check settings, logins, versions, clocks, disk and invariants"))
    .addHelpText("after", "\nExit codes: 0 no check failed, 1 a check failed (or the command did), 2 wrong usage.")
    .action(async (format: Format) => {
      const place = await runningDatabase();
      const checks = [settings(), ...(await examined(place)), await disk(place)];
      const rows = checks.map(({ remedy = null, ...check }) => ({ ...check, remedy }));
      print({ at: new Date(), sections: { checks: { title: "Checks", rows } } }, format);
      if (checks.some(({ result }) => result === "failed")) process.exitCode = 1;
    });
}

function settings(): Check {
  const wrong = misspelledSettings();
  const found = wrong.map(({ name, suggestion }) => `${name} is no setting; ${suggestion} is`).join("; ");
  return wrong.length > 0
    ? { check: "settings", result: "warning", found, remedy: "Correct the names (docs/settings.md)." }
    : { check: "settings", result: "ok", found: "every name is known" };
}

async function examined(place: Place): Promise<Check[]> {
  const logins: Check[] = [];
  for (const role of loginRoles) {
    const refused = await requireLogins([role], place.adminUrl, place.key).catch((error: Error) => error);
    if (refused) {
      const found = refusedLogin(refused) ?? refused.message;
      logins.push({
        check: `login ${role}`,
        result: "failed",
        found,
        remedy: "Correct MASTER_KEY, or run: botstead migrate",
      });
    }
  }
  if (logins.length > 0) return logins;
  return [
    { check: "logins", result: "ok", found: `${loginRoles.length} roles log in` },
    ...(await connectedAs("cli", place, operated)),
    await connectedAs("auditor", place, invariants),
  ];
}

async function operated(cli: Client): Promise<Check[]> {
  const before = Date.now();
  const { rows: clocks } = await cli.query<{ at: Date }>("select clock_timestamp() as at");
  const difference = Math.abs((clocks[0]?.at.getTime() ?? 0) - (before + Date.now()) / 2);
  const { rows } = await cli.query<Service>(
    `select service.definitions, service.database_version, service.last_maintenance_at, now() as at,
       (select count(*) from operator.workers)::integer as workers,
       (select count(*) from operator.issues where severity = 'critical')::integer as critical,
       current_setting('archive_mode') as archive_mode, archiver.last_archived_time, archiver.last_failed_time
     from operator.service, pg_catalog.pg_stat_archiver archiver`,
  );
  const [service] = rows;
  if (!service) throw new Error("The database has no definitions. Run: botstead migrate");
  return [
    service.definitions === definitionsDigest()
      ? { check: "versions", result: "ok", found: `Botstead ${version}, PostgreSQL ${service.database_version}` }
      : {
          check: "versions",
          result: "failed",
          found: `the definitions are not those of version ${version}`,
          remedy: "Run: botstead migrate, or use the version that the service runs.",
        },
    {
      check: "clocks",
      result: difference > maxClockDifferenceMs ? "warning" : "ok",
      found: `this machine and the database differ by ${Math.round(difference)} ms`,
      remedy: difference > maxClockDifferenceMs ? "Synchronise both clocks (NTP)." : null,
    },
    {
      check: "worker",
      result: service.workers > 0 ? "ok" : "failed",
      found: `${service.workers} alive, last maintenance ${service.last_maintenance_at.toISOString()}`,
      remedy: service.workers > 0 ? null : "Start one: botstead worker",
    },
    {
      check: "issues",
      result: service.critical > 0 ? "failed" : "ok",
      found: `${service.critical} critical`,
      remedy: service.critical > 0 ? "botstead status lists them." : null,
    },
    archive(service),
  ];
}

type Service = {
  definitions: string;
  database_version: string;
  last_maintenance_at: Date;
  workers: number;
  critical: number;
  archive_mode: string;
  last_archived_time: Date | null;
  last_failed_time: Date | null;
};

/** PostgreSQL knows of archived write-ahead log, and of no dump. */
function archive({ archive_mode, last_archived_time, last_failed_time }: Service): Check {
  const check = "backups";
  if (archive_mode === "off") {
    const found = "write-ahead log is not archived; PostgreSQL does not know of dumps";
    return { check, result: "unknown", found, remedy: "docs/backups.md says what to keep." };
  }
  const isFailing = last_failed_time !== null && (last_archived_time === null || last_failed_time > last_archived_time);
  const found = `write-ahead log archived last at ${last_archived_time?.toISOString() ?? "no time"}`;
  return isFailing
    ? { check, result: "failed", found, remedy: "archive_command fails: the log of PostgreSQL says why." }
    : { check, result: "ok", found };
}

async function invariants(auditor: Client): Promise<Check> {
  const { rows } = await auditor.query<{ findings: number }>(
    "select count(*)::integer as findings from audit.findings",
  );
  const findings = rows[0]?.findings ?? 0;
  return findings > 0
    ? { check: "invariants", result: "failed", found: `${findings} findings`, remedy: "botstead audit lists them." }
    : { check: "invariants", result: "ok", found: "all hold" };
}

async function disk({ config }: Place): Promise<Check> {
  if (config.databaseUrl !== undefined) {
    return {
      check: "disk",
      result: "unknown",
      found: "the database is on a machine of its own",
      remedy: "Watch free space there (docs/observing.md).",
    };
  }
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const isLow = bavail < blocks * leastFreeShare;
  return {
    check: "disk",
    result: isLow ? "warning" : "ok",
    found: `${Math.round((bavail * bsize) / 1e9)} GB free of ${Math.round((blocks * bsize) / 1e9)} GB`,
    remedy: isLow ? "Free space, or move DATA_DIR to a larger disk." : null,
  };
}
