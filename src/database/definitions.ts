/**
 * The definitions: everything in sql/, in the order of sql/index, told of the operations of the contract. They are
 * applied in one transaction, or not at all. (docs/decisions.md, "Migrations and definitions".)
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { operations, pageOperations } from "../contract/operations.ts";
import { describeRoles } from "./roles.ts";
import { committedMigrations } from "./tables.ts";

const folder = new URL("../../sql/", import.meta.url);

type Definition = { file: string; text: string };

function readDefinitions(): Definition[] {
  return readFileSync(new URL("index", folder), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
}

/** What SQL is told of the contract: which operation asks for which class of key and which scope. */
function describeOperations(): string {
  return JSON.stringify(
    [...operations, ...pageOperations].map(({ name, method, path, keyClass, scope, status }) => ({
      name,
      method,
      path,
      key_class: keyClass,
      scope,
      status,
    })),
  );
}

/**
 * What the definitions are built from, as one digest; a start that finds it in the database has nothing to apply. The
 * migrations belong to it: a new table wants its walls, and sql/audit remembers how all of it was left.
 */
export function definitionsDigest(): string {
  const hash = createHash("sha256").update(describeOperations()).update(describeRoles());
  for (const name of committedMigrations()) hash.update(`\0${name}`);
  for (const { file, text } of readDefinitions()) hash.update(`\0${file}\0${text}`);
  return hash.digest("hex");
}

/** For so long others may have what is to be rebuilt. */
const patienceMs = 300_000;

/**
 * Rebuilds the definitions. `db` is logged in as owner.
 *
 * Whoever works has one table and wants the next, so to wait for all of them would end in a deadlock, and to wait for a reader
 * would keep everybody waiting who comes after. So it waits for half a second, which is less than it takes until PostgreSQL looks
 * for a deadlock and ends somebody's call; then it gives up all that it has, lets the others pass, and begins again.
 *
 * @throws Error that names the file, and the line in it, which the database refused; or that a table could not be had.
 */
export async function applyDefinitions(db: Client): Promise<void> {
  for (const until = performance.now() + patienceMs; ; await sleep(500)) {
    try {
      await applyOnce(db);
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
      if (performance.now() < until) continue;
      const sentence =
        "Somebody has had a table for five minutes, as a long pg_dump has; the definitions are as they were.";
      throw new Error(sentence, { cause: error });
    }
  }
}

/** A lock was not had in time, or there was a deadlock after all. */
function isHeld(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return ["55P03", "40P01"].includes(code ?? cause?.code ?? "");
}

async function applyOnce(db: Client): Promise<void> {
  await db.query("begin");
  try {
    await db.query("set local lock_timeout = '500ms'");
    await db.query(lockAll);
    await db.query("select set_config('botstead.operations', $1, true), set_config('botstead.roles', $2, true)", [
      describeOperations(),
      describeRoles(),
    ]);
    for (const { file, text } of readDefinitions()) {
      await db.query(text).catch((error: Error & { position?: string }) => {
        const line = error.position ? text.slice(0, Number(error.position)).split("\n").length : 1;
        throw new Error(`sql/${file}:${line}: ${error.message}`, { cause: error });
      });
    }
    await db.query(
      `insert into app.definitions (digest) values ($1)
       on conflict (singleton) do update set digest = excluded.digest, applied_at = now()`,
      [definitionsDigest()],
    );
    await db.query("commit");
  } catch (error) {
    await db.query("rollback");
    throw error;
  }
}

/** All at the beginning, before there is work that would be for nothing; views first, as calls come by their tables. */
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
      where namespace.nspname in ('app', 'partitions', 'rows') and class.relkind in ('r', 'p', 'v')
    );
  end
  $$`;

/** The digest that the database was last built from; undefined before the first time. */
export async function appliedDigest(db: Client): Promise<string | undefined> {
  const { rows } = await db.query<{ digest: string }>("select digest from app.definitions");
  return rows[0]?.digest;
}
