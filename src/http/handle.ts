/**
 * The one statement that all of the API is. (sql/api/handle.sql.)
 */
import type { Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import type { Lane, Lanes } from "../database/lanes.ts";

export type Call = {
  credential: Buffer;
  operation: Operation;
  requestId: string;
  input?: Record<string, unknown> | undefined;
  problem?: Problem | undefined;
  idempotency?: Buffer | undefined;
  fingerprint?: Buffer | undefined;
  /** What the answer shows once, as only its caller can open it. */
  sealed?: Buffer | undefined;
};

/** Its out parameters. Either status and body are given, or refusal is. */
export type Handled = {
  status: number;
  body: string | null;
  refusal: string | null;
  details: Detail[] | null;
  replayed: boolean;
  sealed: Buffer | null;
  answers: string;
  key_id: string | null;
  organisation_id: string | null;
};

const statement = {
  name: "handle",
  text: "select * from api.handle($1, $2, $3, $4, $5, $6, $7, $8)",
};

/** @throws Error of the database or of its connection. */
export async function callHandle(lanes: Lanes, lane: Lane, call: Call): Promise<Handled> {
  const [handled] = await lanes.query<Handled>(lane, {
    ...statement,
    values: [
      call.credential,
      call.operation.name,
      call.input ? JSON.stringify(call.input) : null,
      call.problem ? JSON.stringify(call.problem) : null,
      call.requestId,
      call.idempotency ?? null,
      call.fingerprint ?? null,
      call.sealed ?? null,
    ],
  });
  if (!handled) throw new Error("api.handle answered no row");
  return handled;
}
