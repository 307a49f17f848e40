/**
 * A new master key for a database: all that is sealed under the old one is sealed under the new one, and the passwords
 * that follow from it are changed, in one transaction. Done twice it does no harm: what opens with the new key already
 * stays as it is. (docs/operating.md, "A new master key".)
 */
import { type Client, escapeLiteral } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { open, type Purpose, seal } from "../secrets/seal.ts";
import { ensureRoles, scramVerifier } from "./roles.ts";

/** Everything that lies in the database sealed under the master key. What is shown once is sealed under other keys. */
export const sealedColumns = [
  { table: "webhook_endpoints", column: "secret_sealed", purpose: "webhook-secret" },
  { table: "hooks", column: "secret_sealed", purpose: "webhook-secret" },
  { table: "mails", column: "token_sealed", purpose: "invitation-token" },
] as const satisfies { table: string; column: string; purpose: Purpose }[];

type SealedColumn = (typeof sealedColumns)[number];
type Row = { organisation_id: string; id: string; sealed: Buffer };

const atOnce = 1_000;

export type Keys = { from: MasterKey; to: MasterKey };

/**
 * @param admin logged in as administrator
 * @param superuser the password of this superuser follows from the key as well
 * @returns how many values were sealed anew
 * @throws Error in a sentence when a part of the service is connected, or a value opens with neither key: nothing is done then
 */
export async function changeMasterKey(admin: Client, keys: Keys, superuser?: string): Promise<number> {
  await refuseCompany(admin);
  await admin.query("begin");
  try {
    await beOwner(admin);
    await admin.query(
      `lock table ${sealedColumns.map(({ table }) => `app.${table}`).join(", ")} in share row exclusive mode`,
    );
    let resealed = 0;
    for (const sealed of sealedColumns) resealed += await resealColumn(admin, sealed, keys);
    await admin.query("reset role");
    await ensureRoles(admin, keys.to);
    if (superuser) {
      const verifier = scramVerifier(keys.to.password(superuser));
      await admin.query(`alter role ${superuser} password ${escapeLiteral(verifier)}`);
    }
    await refuseCompany(admin); // whoever came meanwhile would go on with the old key
    await admin.query("commit");
    return resealed;
  } catch (error) {
    await admin.query("rollback").catch(() => {});
    throw error;
  }
}

/** Parts of the service hold the old key in memory, and seal with it what they are given. */
async function refuseCompany(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename) as name from pg_stat_activity
     where usename in ('server', 'worker', 'runner', 'operator') order by 1`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new Error(`Stop the API, the worker and the console first; these are connected: ${names}.`);
}

/** The tables are held by policies that owner alone passes. */
async function beOwner(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ may: boolean }>("select pg_has_role('owner', 'set') as may");
  if (!rows[0]?.may) await admin.query("grant owner to current_user with inherit false, set true");
  await admin.query("set local role owner");
}

async function resealColumn(db: Client, sealed: SealedColumn, keys: Keys): Promise<number> {
  const { table, column } = sealed;
  let resealed = 0;
  let last: Pick<Row, "organisation_id" | "id"> | undefined;
  for (;;) {
    const { rows } = await db.query<Row>(
      `select organisation_id, id, ${column} as sealed from app.${table}
       where ${column} is not null and ($1::uuid is null or (organisation_id, id) > ($1, $2))
       order by organisation_id, id limit ${atOnce}`,
      [last?.organisation_id ?? null, last?.id ?? null],
    );
    last = rows.at(-1);
    if (!last) return resealed;
    const changed = rows.flatMap((row) => {
      const anew = resealOne(row, sealed, keys);
      return anew ? [{ ...row, sealed: anew }] : [];
    });
    resealed += changed.length;
    if (changed.length === 0) continue;
    await db.query(
      `update app.${table} held set ${column} = anew.sealed
       from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as anew (organisation_id, id, sealed)
       where held.organisation_id = anew.organisation_id and held.id = anew.id`,
      [changed.map((row) => row.organisation_id), changed.map((row) => row.id), changed.map((row) => row.sealed)],
    );
  }
}

/** Undefined when it is sealed under the new key already. @throws Error in a sentence when neither key opens it */
function resealOne(
  { id, sealed }: Row,
  { table, column, purpose }: SealedColumn,
  { from, to }: Keys,
): Buffer | undefined {
  const text = opened(from, purpose, sealed);
  if (text !== undefined) return seal(to.sealing, purpose, text);
  if (opened(to, purpose, sealed) !== undefined) return undefined;
  throw new Error(
    `Neither key opens ${column} of ${table} ${id}: the old key is not the one in use. Nothing was changed.`,
  );
}

function opened({ sealing }: MasterKey, purpose: Purpose, sealed: Buffer): string | undefined {
  try {
    return open(sealing, purpose, sealed);
  } catch {
    return undefined;
  }
}
