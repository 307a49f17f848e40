import type { Client } from "pg";

/** Raises a limit of every organisation so far that no measurement reaches it. */
export const raiseLimit = (admin: Client, name: string) =>
  admin.query(
    `insert into app.organisation_limits (organisation_id, name, maximum)
     select organisation.id, $1, 1000000000 from app.organisations organisation
     on conflict (organisation_id, name) do nothing`,
    [name],
  );
