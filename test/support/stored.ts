/** What the database stores, for tests that compare it with responses. */
import type { QueryResultRow } from "pg";
import type { TestDatabase } from "./database.ts";

type Db = Pick<TestDatabase, "sql">;

export const runState = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.sql<{ state: string }>("select state from app.runs where id = $1", [id]))[0]?.state;

export const memoriesOfRun = (db: Db, id: string): Promise<QueryResultRow[]> =>
  db.sql("select * from app.memories where run_id = $1 order by id", [id]);

/** The idempotent responses of a key, oldest first. `size` is the size of the sealed body in bytes. */
export const storedResponses = (db: Db, { key }: { key: { id: string } }): Promise<{ size: number }[]> =>
  db.sql("select octet_length(body) as size from app.idempotency_records where key_id = $1 order by created_at", [
    key.id,
  ]);

/** Sets the bytes of responses that the organisation stored this many hours ago. */
export const storeBytes = (db: Db, organisationId: string, bytes: number, hoursAgo = 0): Promise<unknown> =>
  db.sql(
    `merge into app.response_bytes counted
     using (
       select hour, extract(epoch from hour)::bigint / 3600 % 25 as place
       from (select date_trunc('hour', now(), 'UTC') - make_interval(hours => $3)) past (hour)
     ) past
     on counted.organisation_id = $1 and counted.ring_hour = past.place
     when matched then update set hour = past.hour, bytes = $2
     when not matched then insert (organisation_id, ring_hour, hour, bytes) values ($1, past.place, past.hour, $2)`,
    [organisationId, bytes, hoursAgo],
  );
