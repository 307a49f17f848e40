/** URLs that endpoints have from before the database refused them. */
import type { TestDatabase } from "./database.ts";
import { quietly } from "./quietly.ts";

/** Writes the URL without triggers. @param endpointId null: all endpoints */
export const setOldUrl = (db: TestDatabase, endpointId: string | null, url: string): Promise<unknown> =>
  db.sql(
    `${quietly}
     update app.webhook_endpoints set url = $2 from quiet where $1::uuid is null or id = $1`,
    [endpointId, url],
  );
