/** What is sealed under the master key, and how its rows are read. */
import type { Client } from "pg";
import { keysFor, type MasterKey } from "../secrets/master-key.ts";
import { openWith, type Purpose } from "../secrets/seal.ts";

/** Every column sealed under the master key. Secrets shown once are sealed under other keys. */
export const sealedColumns = [
  { table: "webhook_endpoints", column: "secret_sealed", purpose: "webhook-secret", mark: "unreadable_since" },
  { table: "audit_streams", column: "secret_sealed", purpose: "webhook-secret", mark: "unreadable_since" },
  { table: "hooks", column: "secret_sealed", purpose: "webhook-secret", mark: "unreadable_since" },
  { table: "mails", column: "token_sealed", purpose: "invitation-token" },
  { table: "signing_keys", column: "private_key_sealed", purpose: "signing-key", ofService: true },
] as const satisfies SealedColumn[];

export type SealedColumn = {
  table: "webhook_endpoints" | "audit_streams" | "hooks" | "mails" | "signing_keys";
  column: string;
  purpose: Purpose;
  /** The column with the time of the loss. */
  mark?: string;
  /** The table has no organisation_id. */
  ofService?: true;
};

export type SealedRow = { organisation_id: string; id: string; sealed: Buffer; is_lost: boolean };

const pageSize = 1_000;

/** In place of the organisation of a row of the service. */
export const organisationIn = ({ ofService }: SealedColumn): string =>
  ofService ? "'00000000-0000-0000-0000-000000000000'::uuid" : "organisation_id";

/** The rows by their keys, a page at a time. A reader may change the rows of a page. */
export async function* sealedRows(db: Client, sealed: SealedColumn): AsyncGenerator<SealedRow[]> {
  const { table, column, mark } = sealed;
  const organisation = organisationIn(sealed);
  let last: SealedRow | undefined;
  for (;;) {
    const { rows } = await db.query<SealedRow>(
      `select ${organisation} as organisation_id, id, ${column} as sealed, ${mark ? `${mark} is not null` : "false"} as is_lost
       from app.${table}
       where ${column} is not null and ($1::uuid is null or (${organisation}, id) > ($1, $2))
       order by ${organisation}, id limit ${pageSize}`,
      [last?.organisation_id ?? null, last?.id ?? null],
    );
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}

/** Undefined if the key does not open the value. */
export const openedBy = (key: MasterKey, purpose: Purpose, sealed: Buffer): string | undefined =>
  openWith(keysFor(purpose, key), purpose, sealed);
