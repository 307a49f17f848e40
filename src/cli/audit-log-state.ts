/** The last result of the checkpoint job. It runs once a minute; `audit verify` reads the log itself. */
import type { Client } from "pg";
import { type Fault, sentenceOf } from "../transparency/fault.ts";

export type LogState = {
  /** Sentences. While there is one, no checkpoint is signed. */
  faults: string[];
  /** Time of the newest checkpoint; null if there is none yet. */
  signed_at: Date | null;
};

export async function readLogState(auditor: Pick<Client, "query">): Promise<LogState> {
  const { rows: faults } = await auditor.query<Fault>(
    `select organisation_id, fault, sequence::integer, last_sequence::integer
     from audit.log_faults
     where is_open
     order by organisation_id, sequence, fault`,
  );
  const { rows } = await auditor.query<{ at: Date | null }>("select max(created_at) as at from audit.checkpoints");
  return { faults: faults.map(sentenceOf), signed_at: rows[0]?.at ?? null };
}
