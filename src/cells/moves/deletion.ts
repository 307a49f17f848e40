/** Deletes the rows of an organisation from a cell in which it is not. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Cell } from "./cell.ts";

const rowsOfStatement = 2_000;

/**
 * The checkpoint job reports each deleted entry of the log (src/transparency/checkpoints/rewrites.ts). Deletions of an
 * abandoned move are accepted in the same statement, by their number.
 */
function explained(leaf: string): string {
  const [, week] = /\baudit_log_(\d{8})$/.exec(leaf) ?? [];
  if (week === undefined) return "";
  return `, explained as (
           insert into app.audit_faults as known (organisation_id, fault, sequence, last_sequence, accepted_at, accepted_by, accepted_reason)
           select '00000000-0000-0000-0000-000000000000', 'rewritten', ${week}, count(*), now(), 'botstead', 'An abandoned move deleted its copy.'
           from deleted having count(*) > 0
           on conflict (organisation_id, fault, sequence) do update set last_sequence = known.last_sequence + excluded.last_sequence
         )`;
}

/**
 * @param withLog also the audit log. Where the organisation was, its entries stay until retention drops them, since the signed
 *   tree of that cell covers them
 */
export async function deleteRows(cell: Cell, organisation: string, { withLog }: { withLog: boolean }): Promise<void> {
  const leaves = await cell.rows<{ leaf: string; key: string }>(
    `select leaf.relid::regclass::text as leaf, tables.key
     from service.moved_tables tables
     cross join lateral (
       select ('app.' || tables.quoted)::regclass as relid
       where not exists (select from pg_partitioned_table where partrelid = ('app.' || tables.quoted)::regclass)
       union all
       select part.relid from pg_partition_tree(('app.' || tables.quoted)::regclass) part where part.isleaf
         and exists (select from pg_partitioned_table where partrelid = ('app.' || tables.quoted)::regclass)
     ) leaf
     where $1 or not tables.is_kept`,
    [withLog],
  );
  for (const { leaf, key } of leaves) {
    // In parts, so that no transaction holds back vacuum for long. The calls of the cell get the processor in between.
    for (let deleted = rowsOfStatement; deleted === rowsOfStatement; ) {
      const began = performance.now();
      const [row] = await cell.rows<{ deleted: number }>(
        `with deleted as (
           delete from ${leaf} where ctid = any (array(select ctid from ${leaf} where ${key} = $1 limit ${rowsOfStatement})) returning 1
         )${explained(leaf)}
         select count(*)::integer as deleted from deleted`,
        [organisation],
      );
      deleted = row?.deleted ?? 0;
      if (deleted === rowsOfStatement) await sleep(performance.now() - began);
    }
  }
}
