/** The session in which the audit runs. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, DatabaseError } from "pg";
import { readConfig } from "../config.ts";
import type { ChangedDefinition } from "../database/audit-definitions.ts";
import { refusedLogin } from "../database/logins.ts";
import { outageReason } from "../database/outage.ts";
import { asOwner, unhindered } from "../database/sessions.ts";
import { urlAs } from "../database/urls.ts";
import { connectedAs, databaseFor, type Place, runningDatabase } from "./database.ts";

/** A busy server, a restart, and a migration that replaces definitions. An unreachable server and a refused login are reported at once. */
const passing = new Set(["too_many_connections", "connection_lost", "database_unresponsive", "deadlock", "migration"]);
const maxAttempts = 5;
const pauseMs = 1_000;

/**
 * Logs in as auditor while `use` runs. If the database is busy or restarts, begins again, up to five times. An error of the
 * database names the command that shows its cause.
 *
 * @param use reads only, and so can be repeated
 * @param place defaults to the running database
 */
export const asAuditor = <T>(use: (auditor: Client) => Promise<T>, place?: Place): Promise<T> =>
  retried(async () =>
    connectedAs("auditor", place ?? (await databaseFor("auditor")), async (auditor) => {
      await auditor.query(`${unhindered}; set statement_timeout = '15min'; set search_path = ''`);
      return use(auditor);
    }),
  );

/**
 * Objects of schema audit that differ from this version, so that its findings cannot be trusted. Undefined if this
 * process has no password of owner, but one of its own.
 */
export async function changedAudit(): Promise<ChangedDefinition[] | undefined> {
  if (readConfig().partSecrets.DATABASE_PASSWORD !== undefined) return undefined;
  const { changedAuditDefinitions } = await import("../database/audit-definitions.ts"); // other commands need no contract
  return retried(async () => {
    const { adminUrl, key } = await runningDatabase();
    return asOwner(urlAs("owner", adminUrl, key), changedAuditDefinitions);
  });
}

async function retried<T>(use: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await use();
    } catch (error) {
      if (attempt === maxAttempts || !passing.has(outageReason(error) ?? "")) throw explained(error);
    }
    await sleep(pauseMs);
  }
}

const explained = (error: unknown): unknown =>
  isChangedByHand(error) ? new Error(explanation(error), { cause: error }) : error;

/** Lost connections, missing resources, refusals of the audit's functions (22023) and a database without them are described elsewhere. */
const described = /^(08|57P|53|22023|3F000|42P01|42883)/;

function isChangedByHand(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && !described.test(error.code ?? "") && refusedLogin(error) === undefined;
}

const explanation = ({ code, message }: DatabaseError): string =>
  `The audit ${code === "57014" ? "took longer than 15 minutes" : `failed: ${message}`}. ` +
  "Something that it uses may have been changed by hand. Print the differences: botstead migrate --check";
