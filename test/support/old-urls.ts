/** URLs that endpoints have from before the database refused them. */
import type { TestDatabase } from "./database.ts";

/** Writes the URL without triggers. @param endpointId null: all endpoints */
export const setOldUrl = (db: TestDatabase, endpointId: string | null, url: string): Promise<unknown> =>
  db.sql(
    `with quiet as materialized (select set_config('session_replication_role', 'replica', true))
     update app.webhook_endpoints set url = $2 from quiet where $1::uuid is null or id = $1`,
    [endpointId, url],
  );
