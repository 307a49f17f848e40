/** Reads the audit log as rows, from the database or from an export. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Client } from "pg";
import type { LogRow, LogRows } from "../transparency/verification/rows.ts";

const pageSize = 20_000;

/**
 * Begins a transaction of one snapshot in which the log is read. Retention can't drop a week before it ends: the lock comes before
 * the snapshot, so entries that the snapshot has are not dropped while they are read.
 *
 * @param withContent as for databaseRows
 */
export async function beginReading(db: Pick<Client, "query">, withContent: boolean): Promise<void> {
  await db.query("begin transaction isolation level repeatable read read only");
  // Locking the view locks its table, on which auditor has no privilege.
  await db.query(`lock table ${withContent ? "app.audit_log" : "audit.entry_hashes"} in access share mode`);
}

/**
 * In the transaction of beginReading.
 *
 * @param withContent reads the content of entries, which only owner may
 */
export async function* databaseRows(db: Pick<Client, "query">, withContent: boolean): LogRows {
  const pages = async function* (text: string, first: unknown[]): LogRows {
    for (let after = first; ; ) {
      const { rows } = await db.query<{ row: LogRow; key: unknown[] }>(text, [...after, pageSize]);
      for (const { row } of rows) yield row;
      if (rows.length < pageSize) return;
      after = rows.at(-1)?.key ?? after;
    }
  };
  yield* pages(
    `select json_build_object('kind', 'checkpoint', 'note', note, 'publicKey', public_key) as row, json_build_array(number) as key
     from audit.checkpoints where number > $1 order by number limit $2`,
    [0],
  );
  yield* pages(
    `select json_build_object('kind', 'tile', 'level', level, 'tile', tile, 'hashes', encode(hashes, 'hex')) as row,
       json_build_array(level, tile) as key
     from audit.tiles where (level, tile) > ($1::smallint, $2::bigint) order by level, tile limit $3`,
    [-1, 0],
  );
  yield* pages(
    `select json_build_object('kind', 'leaves', 'organisationId', organisation_id, 'firstSequence', first_sequence,
         'lastSequence', last_sequence, 'firstIndex', first_index) as row, json_build_array(first_index) as key
     from audit.leaves where first_index > $1 order by first_index limit $2`,
    [-1],
  );
  const nothing = "00000000-0000-0000-0000-000000000000";
  yield* pages(
    `select json_build_object('kind', 'chain', 'organisationId', organisation_id, 'truncatedSequence', truncated_sequence,
         'truncatedHash', encode(truncated_hash, 'hex'), 'truncationId', truncation_id, 'headSequence', head_sequence,
         'headHash', encode(head_hash, 'hex')) as row, json_build_array(organisation_id) as key
     from audit.chains where ($1::uuid is null or organisation_id > $1::uuid) order by organisation_id limit $2`,
    [null],
  );
  const entries = withContent
    ? `select organisation_id, id, sequence, hash, audit.entry_text(actor, key_id, person_id, operator, reason, request_id,
         action, resource, resource_id, changed, before, after) as content from app.audit_log`
    : "select organisation_id, id, sequence, hash, null::text as content from audit.entry_hashes";
  yield* pages(
    `select json_build_object('kind', 'entry', 'organisationId', organisation_id, 'sequence', sequence, 'id', id,
         'hash', encode(hash, 'hex'), 'content', content) as row, json_build_array(organisation_id, id) as key
     from (${entries}) entry where (organisation_id, id) > ($1::uuid, $2::uuid) order by organisation_id, id limit $3`,
    [nothing, nothing],
  );
}

/** @throws Error if a line is damaged */
export async function* fileRows(file: string): LogRows {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(file, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1;
    try {
      yield JSON.parse(line) as LogRow;
    } catch {
      throw new Error(`Line ${number} of ${file} is damaged.`);
    }
  }
}
