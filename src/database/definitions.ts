/**
 * The definitions: everything in sql/, in the order of sql/index, told of the operations of the contract. They are
 * applied in one transaction, or not at all. (docs/decisions.md, "Migrations and definitions".)
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
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

/**
 * Rebuilds the definitions. `db` is logged in as owner.
 *
 * @throws Error that names the file, and the line in it, which the database refused.
 */
export async function applyDefinitions(db: Client): Promise<void> {
  await db.query("begin");
  try {
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

/** The digest that the database was last built from; undefined before the first time. */
export async function appliedDigest(db: Client): Promise<string | undefined> {
  const { rows } = await db.query<{ digest: string }>("select digest from app.definitions");
  return rows[0]?.digest;
}
