/** Tokens of invitations, for tests that do not read the mail. */
import { open } from "../../src/secrets/seal.ts";
import type { TestApi } from "./api.ts";
import type { TestDatabase } from "./database.ts";

/** The token in the newest unsent invitation mail. */
export async function tokenOf(db: TestDatabase, invitationId: string): Promise<string> {
  const [mail] = await db.sql<{ sealed: Buffer }>(
    `select token_sealed as sealed from app.mails
     where kind = 'invitation' and sent_at is null and data ->> 'invitationId' = $1 order by id desc limit 1`,
    [invitationId],
  );
  if (!mail) throw new Error("No mail of that invitation waits to be sent.");
  return open(db.key.invitations, "invitation-token", mail.sealed);
}

/** Adds this many members at once, to use seats. */
export function fillSeats(db: TestDatabase, organisationId: string, count: number): Promise<unknown> {
  return db.sql(
    `with joined as (
       insert into app.people (email) select format('seat%s.%s@example.test', number, $1::text)
       from generate_series(1, $2::integer) number
       returning id
     )
     insert into app.memberships (organisation_id, person_id, role) select $1::uuid, id, 'member' from joined`,
    [organisationId, count],
  );
}

/** Sends the form of the page, as a browser does. Returns status and text. */
export async function accept(
  api: Pick<TestApi, "url">,
  token: string,
  displayName = "Grace Guest",
): Promise<{ status: number; html: string }> {
  const response = await fetch(`${api.url}/invitation/${token}`, {
    method: "POST",
    body: new URLSearchParams({ displayName }),
  });
  return { status: response.status, html: await response.text() };
}
