/** Checks of `botstead doctor` in a running database. */
import type { Client } from "pg";
import type { DirectoryAdministration } from "../cells/directory/administration.ts";
import { version } from "../version.ts";
import { readLogState } from "./audit-log-state.ts";
import { counted } from "./output.ts";

export type Check = {
  check: string;
  result: "ok" | "warning" | "failed" | "unknown";
  found: string;
  remedy?: string | null;
};

/** Times in the audit log and leases come from the database, times of requests from the API. */
const maxClockDifferenceMs = 1_000;
/** As the alert BotsteadBackupOld: a day and two hours. */
const maxBackupAgeMs = 26 * 3_600_000;
const maxNamed = 5;

type Service = {
  definitions: string;
  database_version: string;
  last_maintenance_at: Date;
  workers: number;
  is_without_worker: boolean;
  critical: number;
  archive_mode: string;
  last_archived_time: Date | null;
  last_failed_time: Date | null;
  last_backup_at: Date | null;
  at: Date;
};

const missingWorker = "Start one: botstead worker. The log of the previous one says why it stopped.";
const idleWorker = "Its log says why maintenance fails, such as a full disk or a full lock table.";

export async function checkService(cli: Client): Promise<Check[]> {
  const { definitionsDigest } = await import("../database/definitions.ts"); // other commands need no contract and no queue
  const before = Date.now();
  const { rows: clocks } = await cli.query<{ at: Date }>("select clock_timestamp() as at");
  const difference = Math.abs((clocks[0]?.at.getTime() ?? 0) - (before + Date.now()) / 2);
  const { rows } = await cli.query<Service>(
    `select service.definitions, service.database_version, service.last_maintenance_at, now() as at,
       (select count(*) from operator.workers)::integer as workers,
       exists (select from operator.issues where category = 'no_worker') as is_without_worker,
       (select count(*) from operator.issues where severity = 'critical')::integer as critical,
       (select max(created_at) from operator.actions where action = 'back_up') as last_backup_at,
       current_setting('archive_mode') as archive_mode, archiver.last_archived_time, archiver.last_failed_time
     from operator.service, pg_catalog.pg_stat_archiver archiver`,
  );
  const [service] = rows;
  if (!service) throw new Error("The database has no definitions. Run: botstead migrate");
  const works = service.workers > 0 && !service.is_without_worker;
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
      result: works ? "ok" : "failed",
      found: `${service.workers} alive, last maintenance ${seconds(service.last_maintenance_at)}`,
      remedy: works ? null : service.workers > 0 ? idleWorker : missingWorker,
    },
    {
      check: "issues",
      result: service.critical > 0 ? "failed" : "ok",
      found: `${service.critical} critical`,
      remedy: service.critical > 0 ? "botstead status lists them." : null,
    },
    checkSecrets((await cli.query<{ subject: string }>("select subject from operator.lost_secrets")).rows),
    checkBackups(service),
    checkArchive(service),
  ];
}

const seconds = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

/** @param lost at most a hundred, as the console shows them */
function checkSecrets(lost: { subject: string }[]): Check {
  const check = "secrets";
  if (lost.length === 0) return { check, result: "ok", found: "none is known as lost" };
  const named = namedOf(lost.map(({ subject }) => subject));
  const remedy =
    "Ask the organisations to rotate them (docs/backups.md#a-lost-master-key). botstead status has the ids.";
  return { check, result: "failed", found: `the master key does not open those of ${named}`, remedy };
}

/** The first names, and how many follow. */
const namedOf = (names: string[]): string =>
  names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? `, and ${names.length - maxNamed} more` : "");

/** The operators' log has backups by `botstead backup`, and backups of other tools by `botstead backup record`. */
function checkBackups({ last_backup_at: last, at }: Service): Check {
  if (last === null) {
    const remedy = "docs/backups.md; after a backup by another tool run: botstead backup record";
    return { check: "backups", result: "unknown", found: "none is recorded", remedy };
  }
  const isOld = at.getTime() - last.getTime() > maxBackupAgeMs;
  return {
    check: "backups",
    result: isOld ? "warning" : "ok",
    found: `the last one ended ${seconds(last)}`,
    remedy: isOld ? "docs/runbooks/storage.md, BotsteadBackupOld" : null,
  };
}

function checkArchive({ archive_mode, last_archived_time, last_failed_time }: Service): Check {
  const check = "archive";
  if (archive_mode === "off") {
    const remedy = "A restore reaches the moments of backups only. Embedded database: set BACKUP_DIR.";
    return { check, result: "unknown", found: "write-ahead log is not archived", remedy };
  }
  const isFailing = last_failed_time !== null && (last_archived_time === null || last_failed_time > last_archived_time);
  const found = last_archived_time ? `write-ahead log archived ${seconds(last_archived_time)}` : "no file archived yet";
  return isFailing
    ? { check, result: "failed", found, remedy: "docs/runbooks/storage.md, BotsteadWalNotArchived" }
    : { check, result: "ok", found };
}

/** Two cells must not serve one organisation. */
export async function checkCells(
  directory: DirectoryAdministration,
  cell: { name: string; url: string },
): Promise<Check> {
  const { misplacedOrganisations } = await import("../cells/directory/administration.ts");
  const misplaced = await misplacedOrganisations(directory, cell);
  const check = "cells";
  if (misplaced.length === 0) return { check, result: "ok", found: "no organisation here is in another cell too" };
  const named = namedOf(misplaced.map(({ id, cell }) => `${id} in ${cell}`));
  return {
    check,
    result: "failed",
    found: `here and, by the directory, in another cell: ${named}`,
    remedy: "docs/backups.md#a-cell-after-a-move",
  };
}

/** @param changed objects of the audit that differ from this version, which may hide findings */
export async function checkInvariants(auditor: Client, changed: number): Promise<Check> {
  const { rows } = await auditor.query<{ findings: number }>(
    "select count(*)::integer as findings from audit.findings",
  );
  const findings = changed + (rows[0]?.findings ?? 0);
  return findings > 0
    ? {
        check: "invariants",
        result: "failed",
        found: counted(findings, "finding"),
        remedy: "botstead audit lists them.",
      }
    : { check: "invariants", result: "ok", found: "all hold" };
}

export async function checkAuditLog(auditor: Client): Promise<Check> {
  const { faults, signed_at } = await readLogState(auditor);
  const check = "audit log";
  if (faults.length > 0) {
    const found = `${counted(faults.length, "open fault")}, no checkpoint is signed`;
    return { check, result: "failed", found, remedy: "botstead audit verify prints them (docs/auditing.md)." };
  }
  return signed_at === null
    ? { check, result: "unknown", found: "no checkpoint yet", remedy: "A worker signs the first one within a minute." }
    : { check, result: "ok", found: `no open fault, newest checkpoint ${seconds(signed_at)}` };
}
