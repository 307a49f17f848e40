/** Cards that a run has raised, and the way to answer them, for tests that do not read the mail for it. */
import { approvalToken } from "../../src/secrets/approval-token.ts";
import type { TestApi } from "./api.ts";
import type { TestDatabase } from "./database.ts";

/** A card that proposes a claim, as if this run had raised it. Answers its id. */
export async function raiseCard(db: TestDatabase, runId: string): Promise<string> {
  const [raised] = await db.sql<{ id: string }>(
    `select runner.raise_approval(run, 'memory', null, null, runner.proposed_memory($2), '3 days') as id
     from app.runs run where run.id = $1`,
    [runId, { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." }],
  );
  if (!raised) throw new Error("There is no such run.");
  return raised.id;
}

/** Opens the card as the worker does when it mails the link. Answers the link's token. */
export async function linkOf(db: TestDatabase, approvalId: string): Promise<string> {
  const { text, digest } = approvalToken(db.key.sealing, approvalId);
  await db.sql(
    "select jobs.link_approval(held.organisation_id, held.id, $2) from app.approvals held where held.id = $1",
    [approvalId, digest],
  );
  return text;
}

/** Presses a button of the page, as a browser does. Answers the page that comes. */
export async function press(
  api: Pick<TestApi, "url">,
  token: string,
  answer: "approved" | "refused",
): Promise<{ status: number; html: string }> {
  const body = new URLSearchParams({ answer });
  const response = await fetch(`${api.url}/approval/${token}`, { method: "POST", body });
  return { status: response.status, html: await response.text() };
}
