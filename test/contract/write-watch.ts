/**
 * Records which transactions wrote to which tables, with triggers on every table. A rollback also removes its record.
 */
import type { TestDatabase } from "../support/database.ts";

/** Tables that a refused call may change: the stored response, the key's last use and usage, request counts. */
const mayBeWritten = [
  "idempotency_records",
  "response_bytes",
  "response_rows",
  "api_key_uses",
  "api_key_days",
  "request_minutes",
  "refused_credentials",
];

export async function watchWrites(db: TestDatabase): Promise<{ since(): Promise<Written> }> {
  await db.sql("select service.lock('refused_credentials')"); // else the first count of refusals creates it
  await db.sql(`
    create schema watch;
    create table watch.writes (
      transaction xid8 not null default pg_current_xact_id(),
      request_id text not null default coalesce(current_setting('caller.request_id', true), ''),
      written text not null
    );
    create function watch.note() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      insert into watch.writes (written) values (tg_table_name);
      return null;
    end
    $$`);
  const tables = await db.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where (schemaname = 'app' and tablename <> all ($1)) or (schemaname, tablename) = ('graphile_worker', '_private_jobs')`,
    [mayBeWritten],
  );
  for (const { name } of tables) {
    await db.sql(`create trigger watched after insert or update or delete on ${name}
      for each row execute function watch.note()`);
  }
  return {
    async since() {
      const seen = await db.sql<{ transaction: string; requestId: string; written: string }>(
        `delete from watch.writes returning transaction, request_id as "requestId", written`,
      );
      const byRequest = new Map<string, string[]>();
      for (const { requestId, written } of seen) {
        byRequest.set(requestId, [...new Set([...(byRequest.get(requestId) ?? []), written])].toSorted());
      }
      const tables = [...new Set(seen.map(({ written }) => written))].toSorted();
      return {
        transactions: new Set(seen.map(({ transaction }) => transaction)).size,
        tables: tables.length > 0 ? tables : null,
        byRequest,
      };
    },
  };
}

/** Since the previous call. */
export type Written = {
  transactions: number;
  tables: string[] | null;
  /** Tables written by each call, by request id; "" for writes without a request. */
  byRequest: Map<string, string[]>;
};
