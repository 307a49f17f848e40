/** The calls of a journal in the order of their commits, as the audit log has it. */
import type { Made } from "../calls.ts";
import type { Sql } from "../evidence.ts";

type Entry = { sequence: number; requestId: string | null; action: string; resourceId: string };

/** A call without an entry, such as a GET, follows the call before of its client. @param made each client waits for its responses */
export async function inCommitOrder(sql: Sql, organisation: string, made: Made[]): Promise<Made[]> {
  const entries = await sql<Entry>(
    `select sequence::integer, request_id as "requestId", action, resource_id as "resourceId"
     from app.audit_log where organisation_id = $1 order by sequence`,
    [organisation],
  );
  const ofRequest = new Map<string | null, number>();
  const changesOf = new Map<string, number[]>();
  for (const { sequence, requestId, action, resourceId } of entries) {
    if (!ofRequest.has(requestId)) ofRequest.set(requestId, sequence);
    if (action === "updated") changesOf.set(resourceId, [...(changesOf.get(resourceId) ?? []), sequence]);
  }

  /** A repeated PATCH changes nothing, and its entry has the id of the first request. Each PATCH sets another value. */
  function entryOf({ method, path, answer }: Made): number | undefined {
    if (method === "PATCH") return changesOf.get(path.split("/").at(-1) ?? "")?.shift();
    return method === "POST" ? ofRequest.get(answer?.requestId ?? "") : undefined;
  }

  const last = new Map<string, number>();
  const placed = made.map((call) => {
    const place = entryOf(call) ?? (last.get(call.key) ?? 0) + 0.001;
    last.set(call.key, place);
    return { call, place };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ call }) => call);
}
