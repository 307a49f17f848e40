/**
 * Applies the definitions: everything in sql/, in the order of sql/index, in one transaction.
 * (docs/decisions/0005-definitions-beside-migrations.md)
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { operations, pageOperations, sections } from "../contract/operations.ts";
import { describeTargets } from "../delivery/webhook-url.ts";
import { type Build, recordBuild } from "./builds.ts";
import { inputRule } from "./input-rules.ts";
import { holderOfTable } from "./migration-lock.ts";
import { refuseDuringMove } from "./moves.ts";
import { queueVersion } from "./queue.ts";
import { describeRoles } from "./roles.ts";
import { committedMigrations, describeMigrations, recordVersion } from "./versions.ts";

const folder = new URL("../../sql/", import.meta.url);

type Definition = { file: string; text: string };

export function readDefinitions(): Definition[] {
  return readFileSync(new URL("index", folder), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
}

/** The operations of the contract for SQL: name, class of key, scope, role, status, kind of replay, section of the portal, and the rule for inputs. */
function describeOperations(): string {
  return JSON.stringify(
    [...operations, ...pageOperations].map((operation) => ({
      name: operation.name,
      method: operation.method,
      path: operation.path,
      key_class: operation.keyClass,
      scope: operation.scope,
      role: operation.role ?? "member",
      in_person: operation.inPerson ?? false,
      stores_digest: operation.storesDigest ?? false,
      status: operation.status,
      section: sections.get(operation.name),
      input_rule: inputRule(operation),
    })),
  );
}

/**
 * Digest of everything the definitions depend on; a start that finds it in the database skips them. It includes the
 * migrations, since a new table needs policies and grants, and graphile-worker's version, since its tables need grants.
 * A new version is recorded, so older ones refuse the database.
 */
export function definitionsDigest(): string {
  const hash = createHash("sha256").update(describeOperations()).update(describeRoles()).update(queueVersion());
  hash.update(describeTargets()).update(recordVersion());
  for (const name of committedMigrations()) hash.update(`\0${name}`);
  for (const { file, text } of readDefinitions()) hash.update(`\0${file}\0${text}`);
  return hash.digest("hex");
}

type Waiting = {
  /** How long to retry while other sessions hold locks. */
  lockTimeoutMs: number;
  /** Receives a sentence that names the session which holds a lock, once. */
  progress: (sentence: string) => void;
};

/** Retries for this time before it names the session. */
const silentMs = 2_000;

/**
 * Rebuilds the definitions. `db` is logged in as owner.
 *
 * Waiting for all table locks at once could deadlock with running statements, and every later statement would queue
 * behind it. So one attempt waits 0.5 s for a lock, less than PostgreSQL's deadlock_timeout of 1 s, and 3 s for all of
 * them, then rolls back and tries again.
 *
 * @throws Error with file and line of a statement that fails
 * @throws Error that names the session which holds a lock, after `lockTimeoutMs`
 * @throws Error if an organisation moves
 */
export async function applyDefinitions(db: Client, build: Build, { lockTimeoutMs, progress }: Waiting): Promise<void> {
  const begun = performance.now();
  for (let isNamed = false; ; await sleep(500)) {
    try {
      await applyOnce(db, build);
      return;
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      const waitedMs = performance.now() - begun;
      const isOver = waitedMs > lockTimeoutMs;
      if (!isOver && (isNamed || waitedMs < silentMs)) continue;
      const holder = await holderOfTable(db, schemas);
      if (isOver) {
        const seconds = lockTimeoutMs / 1_000;
        const reason = `The tables were not free within ${seconds} seconds. Nothing was changed.`;
        throw new Error(`${reason} ${holder ?? "Run this again."}`, { cause: error });
      }
      isNamed = holder !== undefined;
      if (holder) progress(holder);
    }
  }
}

/** lock_not_available, deadlock_detected, or query_canceled, since only lockAll has a time-out. */
function isLockConflict(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return ["55P03", "40P01", "57014"].includes(code ?? cause?.code ?? "");
}

async function applyOnce(db: Client, build: Build): Promise<void> {
  await db.query("begin");
  try {
    await db.query("set local lock_timeout = '500ms'; set local statement_timeout = '3s'");
    await db.query(lockAll);
    await refuseDuringMove(db, "The definitions were not changed.");
    await db.query("set local statement_timeout = 0");
    await db.query(
      `select set_config('botstead.operations', $1, true), set_config('botstead.roles', $2, true),
         set_config('botstead.added_columns', $3, true), set_config('botstead.migrations', $4, true),
         set_config('botstead.targets', $5, true)`,
      [
        describeOperations(),
        describeRoles(),
        JSON.stringify(addedColumns(build)),
        describeMigrations(),
        describeTargets(),
      ],
    );
    for (const { file, text } of readDefinitions()) {
      await db.query(text).catch((error: Error & { position?: string }) => {
        const line = error.position ? text.slice(0, Number(error.position)).split("\n").length : 1;
        throw new Error(`sql/${file}:${line}: ${error.message}`, { cause: error });
      });
    }
    await db.query("select jobs.make_partitions('1 minute')"); // the inventory includes them
    await recordBuild(db, definitionsDigest(), build);
    await db.query("commit");
  } catch (error) {
    await db.query("rollback");
    throw error;
  }
}

/** Columns that were added by hand, such as "column app.bots.notes". A trigger that used one would keep it from being dropped. */
const addedColumns = ({ differences }: Build): string[] =>
  differences
    .filter(({ object, change }) => object.startsWith("column ") && change === "added")
    .map(({ object }) => object);

const schemas = ["app", "partitions", "rows", "graphile_worker"];

/** Locks everything before the work begins. Views come first, since calls reach tables through them. */
const lockAll = `
  do $$
  begin
    execute (
      select coalesce(
        'lock table ' || string_agg(
          format('%I.%I', namespace.nspname, class.relname), ', ' order by class.relkind = 'v' desc, class.oid
        ) || ' in access exclusive mode',
        'select'
      )
      from pg_catalog.pg_class class
      join pg_catalog.pg_namespace namespace on namespace.oid = class.relnamespace
      where namespace.nspname in (${schemas.map((schema) => `'${schema}'`).join(", ")}) and class.relkind in ('r', 'p', 'v')
    );
  end
  $$`;
