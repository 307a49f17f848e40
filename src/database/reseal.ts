/**
 * Changes the master key of a database in one transaction: reseals all secrets and sets the derived passwords. Safe to
 * repeat: values that the new key already opens stay unchanged. (docs/operating.md#a-new-master-key)
 */
import { type Client, escapeLiteral } from "pg";
import { keysFor, type MasterKey } from "../secrets/master-key.ts";
import { seal } from "../secrets/seal.ts";
import { ensureRoles } from "./ensure-roles.ts";
import { refuseDuringMove } from "./moves.ts";
import { scramVerifier } from "./role-passwords.ts";
import {
  openedBy,
  organisationIn,
  type SealedColumn,
  type SealedRow,
  sealedColumns,
  sealedRows,
} from "./sealed-columns.ts";

export type Keys = { from: MasterKey; to: MasterKey };

/**
 * @param admin logged in as administrator
 * @param superuser whose password is derived from the key too
 * @returns the number of resealed values
 * @throws Error if a process of the service is connected, an organisation moves between cells, or neither key opens a value; the
 *   database is unchanged then
 */
export async function changeMasterKey(admin: Client, keys: Keys, superuser?: string): Promise<number> {
  await requireNoSessions(admin);
  await admin.query("begin");
  try {
    await becomeOwner(admin);
    await admin.query(
      `lock table ${sealedColumns.map(({ table }) => `app.${table}`).join(", ")} in share row exclusive mode`,
    );
    let resealed = 0;
    for (const sealed of sealedColumns) resealed += await resealColumn(admin, sealed, keys);
    await note(admin);
    await admin.query("lock table app.organisation_moves in share mode"); // no move begins before the commit
    await refuseDuringMove(admin, "The master key was not changed.");
    await admin.query("reset role");
    await ensureRoles(admin, keys.to, { replace: true });
    if (superuser) {
      const verifier = scramVerifier(keys.to.password(superuser));
      await admin.query(`alter role ${superuser} password ${escapeLiteral(verifier)}`);
    }
    await requireNoSessions(admin); // a process that connected meanwhile would use the old key
    await admin.query("commit");
    return resealed;
  } catch (error) {
    await admin.query("rollback").catch(() => {});
    throw error;
  }
}

/** Running processes hold the old key in memory and would seal new values with it. @throws Error if one is connected */
export async function requireNoSessions(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename) as name from pg_stat_activity
     where usename in ('server', 'worker', 'runner', 'operator') order by 1`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new Error(`Stop the API, the worker and the console first; these are connected: ${names}.`);
}

/** Adds an entry to the operator log. @throws Error if the database has an earlier version */
async function note(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ there: boolean }>(
    "select to_regprocedure('operator.note_command(text, uuid, jsonb, text, uuid)') is not null as there",
  );
  if (!rows[0]?.there) throw new Error("The database is of an earlier version: run botstead migrate first.");
  await owner.query("select operator.note_command('rotate_master_key', null, '{}')");
}

/** Only owner passes the policies of these tables. */
async function becomeOwner(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ may: boolean }>("select pg_has_role('owner', 'set') as may");
  if (!rows[0]?.may) await admin.query("grant owner to current_user with inherit false, set true");
  await admin.query("set local role owner");
}

async function resealColumn(db: Client, sealed: SealedColumn, keys: Keys): Promise<number> {
  const { table, column, ofService } = sealed;
  const organisation = organisationIn(sealed);
  let resealed = 0;
  for await (const rows of sealedRows(db, sealed)) {
    const changed = rows.flatMap((row) => {
      const resealedValue = resealOne(row, sealed, keys);
      return resealedValue ? [{ ...row, sealed: resealedValue }] : [];
    });
    resealed += changed.length;
    if (changed.length === 0) continue;
    await db.query(
      `update app.${table} target set ${column} = resealed.sealed
       from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as resealed (organisation_id, id, sealed)
       where ${ofService ? organisation : "target.organisation_id"} = resealed.organisation_id and target.id = resealed.id`,
      [changed.map((row) => row.organisation_id), changed.map((row) => row.id), changed.map((row) => row.sealed)],
    );
  }
  return resealed;
}

/** Undefined if the new key already opens the value, or it is known as lost. @throws Error if neither key opens it otherwise */
function resealOne(
  { id, sealed, is_lost }: SealedRow,
  { table, column, purpose }: SealedColumn,
  { from, to }: Keys,
): Buffer | undefined {
  const text = openedBy(from, purpose, sealed);
  if (text !== undefined) return seal(keysFor(purpose, to)[0], purpose, text);
  if (is_lost || openedBy(to, purpose, sealed) !== undefined) return undefined;
  throw new Error(
    `Neither key opens ${column} of ${table} ${id}: the old key is not the one in use. Nothing was changed.`,
  );
}
