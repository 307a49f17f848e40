/** Approvals that a run raised, and their links, for tests that do not read the mail. */
import { approvalToken } from "../../src/secrets/approval-token.ts";
import type { TestApi } from "./api.ts";
import type { TestDatabase } from "./database.ts";

/** Raises an approval of a memory, as if this run had proposed it. Returns the approval's id. */
export async function raiseApproval(db: TestDatabase, runId: string): Promise<string> {
  const [raised] = await db.sql<{ id: string }>(
    `select runner.raise_approval(run, 'memory', null, null, runner.proposed_memory($2), '3 days') as id
     from app.runs run where run.id = $1`,
    [runId, { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." }],
  );
  if (!raised) throw new Error("There is no such run.");
  return raised.id;
}

/** Links the approval as the worker does when it mails the link. Returns the link's token. */
export async function linkOf(db: TestDatabase, approvalId: string): Promise<string> {
  const { text, digest } = approvalToken(db.key.sealing, approvalId);
  await db.sql(
    "select jobs.link_approval(approval.organisation_id, approval.id, $2) from app.approvals approval where approval.id = $1",
    [approvalId, digest],
  );
  return text;
}

/** Presses a button of the page, as a browser does. Returns the page of the response. */
export async function press(
  api: Pick<TestApi, "url">,
  token: string,
  answer: "approved" | "refused",
  comment?: string,
): Promise<{ status: number; html: string }> {
  const body = new URLSearchParams({ answer, ...(comment === undefined ? {} : { comment }) });
  const response = await fetch(`${api.url}/approval/${token}`, { method: "POST", body });
  return { status: response.status, html: await response.text() };
}
