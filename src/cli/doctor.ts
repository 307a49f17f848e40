/** `botstead doctor`: checks of the installation (docs/commands.md#on-call). */
import { statfs } from "node:fs/promises";
import { Command } from "commander";
import { type Config, misspelledSettings, readConfig } from "../config.ts";
import { refusedLogin, requireLogins } from "../database/logins.ts";
import { outageReason } from "../database/outage.ts";
import { loginRoles } from "../database/roles.ts";
import { asAuditor, changedAudit } from "./audit-session.ts";
import { withDirectory } from "./cells.ts";
import { checking, explainExitCodes } from "./checking.ts";
import { connectedAs, type Place, runningDatabase } from "./database.ts";
import { type Check, checkAuditLog, checkCells, checkInvariants, checkService } from "./doctor-checks.ts";
import { describeFault } from "./faults.ts";
import { type Format, print, printable } from "./output.ts";

const leastFreeShare = 0.1;
/** Two WAL files: with less PostgreSQL stops. */
const leastFreeBytes = 32 * 1024 * 1024;

export function doctorCommand(): Command {
  const command = new Command("doctor").description(
    "check settings, logins, versions, findings, backups, clocks and disk",
  );
  return explainExitCodes(printable(command), "no check failed").action((format: Format) =>
    checking(async () => {
      const config = readConfig();
      const checks = [settings(), ...(await database()), await disk(config)];
      const rows = checks.map(({ remedy = null, ...check }) => ({ ...check, remedy }));
      print({ at: new Date(), sections: { checks: { title: "Checks", rows } } }, format);
      return checks.every(({ result }) => result !== "failed");
    }),
  );
}

function settings(): Check {
  const wrong = misspelledSettings();
  const found = wrong.map(({ name, suggestion }) => `${name} is no setting; ${suggestion} is`).join("; ");
  return wrong.length > 0
    ? { check: "settings", result: "warning", found, remedy: "Correct the names (.env.example)." }
    : { check: "settings", result: "ok", found: "every name is known" };
}

/** A check that throws counts as failed, so that the others are printed. */
async function database(): Promise<Check[]> {
  try {
    const place = await runningDatabase();
    const refused = await refusedLogins(place);
    if (refused.length > 0) return refused;
    return [
      { check: "logins", result: "ok", found: `${loginRoles.length} roles log in` },
      ...(await connectedAs("cli", place, checkService).catch((error) => [unchecked("service", error)])),
      await invariants(place).catch((error) => unchecked("invariants", error)),
      await asAuditor(checkAuditLog, place).catch((error) => unchecked("audit log", error)),
      ...(await cells(place)),
    ];
  } catch (error) {
    const found = describeFault(error as Error);
    const remedy = remedyOfOutage(error) ?? "docs/runbooks/database.md, BotsteadDatabaseDown";
    return [{ check: "database", result: "failed", found, remedy }];
  }
}

async function invariants(place: Place): Promise<Check> {
  const changed = (await changedAudit())?.length ?? 0;
  return asAuditor((auditor) => checkInvariants(auditor, changed), place);
}

async function cells({ adminUrl, config: { directory } }: Place): Promise<Check[]> {
  if (!directory) return [];
  const cell = { name: directory.cell, url: adminUrl };
  return [
    await withDirectory((administration) => checkCells(administration, cell)).catch((error: Error) => ({
      ...{ check: "cells", result: "failed" as const, found: `the directory cannot be read: ${describeFault(error)}` },
      remedy: "Correct DIRECTORY_URL (docs/directory.md).",
    })),
  ];
}

/** Settings of the database can end one session and not the other. @throws the error if no session can be opened */
function unchecked(check: string, error: Error): Check {
  const reason = outageReason(error) ?? "";
  const isLogin = ["database_unreachable", "no_connection", "too_many_connections"].includes(reason);
  const isFull = reason === "insufficient_resources" && (error as { severity?: string }).severity === "FATAL";
  if (isLogin || isFull) throw error;
  return { check, result: "failed", found: describeFault(error), remedy: remedyOf(error) };
}

const remedies: Record<string, string> = {
  disk_full: "Free space on the disk of the database.",
  insufficient_resources: "Give the database more memory, or end sessions. Out of shared memory: docs/executors.md.",
  too_many_connections: "docs/runbooks/database.md, BotsteadConnectionsRunOut",
};

const remedyOfOutage = (error: unknown): string | undefined =>
  remedies[outageReason(error) ?? outageReason((error as Error).cause) ?? ""];

export const remedyOf = (error: Error): string => remedyOfOutage(error) ?? "botstead audit lists changed settings.";

async function refusedLogins({ adminUrl, key }: Place): Promise<Check[]> {
  const refused: Check[] = [];
  for (const role of loginRoles) {
    const error = await requireLogins([role], adminUrl, key).catch((error: Error) => error);
    if (!error) continue;
    const found = refusedLogin(error) ?? error.message;
    refused.push({
      check: `login ${role}`,
      result: "failed",
      found,
      remedy: "Correct MASTER_KEY, or run: botstead migrate --repair",
    });
  }
  return refused;
}

async function disk({ databaseUrl, dataDir }: Config): Promise<Check> {
  if (databaseUrl !== undefined) {
    return {
      check: "disk",
      result: "unknown",
      found: "the database is on a machine of its own",
      remedy: "Watch free space there (docs/observing.md).",
    };
  }
  const space = await statfs(dataDir).catch((error: Error) => error);
  if (space instanceof Error) {
    return { check: "disk", result: "failed", found: `DATA_DIR: ${space.message}`, remedy: "Correct DATA_DIR." };
  }
  return checkSpace(space.bavail * space.bsize, space.blocks * space.bsize);
}

/** @param free in bytes, as `all` */
export function checkSpace(free: number, all: number): Check {
  const isLow = free < all * leastFreeShare;
  return {
    check: "disk",
    result: free < leastFreeBytes ? "failed" : isLow ? "warning" : "ok",
    found: `${size(free)} free of ${size(all)}`,
    remedy: isLow || free < leastFreeBytes ? "Free space, or move DATA_DIR to a larger disk." : null,
  };
}

const size = (bytes: number): string =>
  bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.round(bytes / 1e9)} GB`;
