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
