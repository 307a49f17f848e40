/**
 * A list as JSON lines: all rows in the order of the list, read page by page as the client reads. Each page is a call of its own
 * under the caller's key, so no transaction stays open, and a revoked key ends the export.
 * (docs/specification/memories.md#export)
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { digestOf } from "../../secrets/credentials.ts";
import { type Backlog, trackUntilDrained } from "../../web/backlog.ts";
import type { Perform, PerformOpen, Request } from "../request.ts";
import type { Slots } from "./slots.ts";
import { noSlot } from "./wait.ts";

type Parts = { perform: Perform; slots: Slots; stopping: AbortSignal; unsent: Backlog };

const pageSize = "200";

export function makeLines({ perform, slots, stopping, unsent }: Parts): PerformOpen {
  return async (request, response) => {
    const paged = withQuery(request, { limit: request.query.get("limit") ?? pageSize });
    const answer = await perform(paged);
    if (answer.status !== 200) return answer;
    const { lines, nextCursor } = readPage(answer.body);
    const headers = { ...answer.headers, "content-type": "application/x-ndjson", "x-accel-buffering": "no" };
    if (nextCursor === null) return { ...answer, headers, body: lines };
    if (response.req.method === "HEAD") return { ...answer, headers, body: "", continue: () => response.end() };
    if (response.destroyed) return answer; // the caller has disconnected: "close" would never release a slot
    const releaseSlot = slots.acquire(digestOf(request.bearer ?? ""), answer.caller?.organisationId);
    if (!releaseSlot) return noSlot(request, answer);
    response.once("close", releaseSlot);
    return { ...answer, headers, body: lines, continue: () => void readOn(paged, response, nextCursor) };
  };

  /** Without its end the response is incomplete, which the client notices. It continues after the last row that it has. */
  async function readOn(request: Request, response: ServerResponse, first: string): Promise<void> {
    // A search ranks all matches for each page. So its pages, and pages smaller than usual, count as requests.
    const again = request.query.get("limit") === pageSize && !request.query.has("q");
    for (let cursor: string | null = first; cursor !== null; ) {
      if (response.writableNeedDrain) await drainedOrClosed(response);
      if (response.destroyed) return;
      const next = { ...withQuery(request, { cursor }), since: performance.now(), again };
      const answer = stopping.aborted ? undefined : await perform(next).catch(() => undefined);
      if (answer?.status !== 200) return void response.destroy();
      const page = readPage(answer.body);
      if (!response.write(page.lines)) trackUntilDrained(response, unsent);
      cursor = page.nextCursor;
    }
    response.end();
  }
}

/** A copy, since a request is not changed. */
function withQuery(request: Request, parameters: Record<string, string>): Request {
  const query = new URLSearchParams(request.query);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return { ...request, query };
}

function readPage(body: string): { lines: string; nextCursor: string | null } {
  const { data, nextCursor } = JSON.parse(body) as { data: unknown[]; nextCursor: string | null };
  return { lines: data.map((row) => `${JSON.stringify(row)}\n`).join(""), nextCursor };
}

export async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const waiting = new AbortController(); // removes the listeners of the other event
  await Promise.race(["drain", "close"].map((name) => once(response, name, { signal: waiting.signal })));
  waiting.abort();
}
