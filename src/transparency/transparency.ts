/** An extension of the worker: checkpoints of the audit log, which witnesses cosign. (docs/decisions/0033-audit-log.md) */
import { signerFrom } from "../secrets/note-key.ts";
import type { WorkerExtension } from "../worker/extension.ts";
import { startCheckpoints } from "./checkpoints/job.ts";
import { openWitness } from "./checkpoints/witness.ts";

export const transparency: WorkerExtension = {
  start: ({ config: { audit }, pool, key, log }) =>
    startCheckpoints({
      pool,
      log,
      signer: signerFrom(audit.origin, 1, key.checkpoints),
      witnesses: audit.witnesses.map(openWitness),
    }),
};
