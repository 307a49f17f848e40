/**
 * The checkpoint job: at most one run a minute, over all workers. A run is one transaction with one snapshot. Witnesses
 * are called before and after it, so that a slow witness holds no lock.
 */
import type { Pool, PoolClient } from "pg";
import { faultOf, type Log } from "../../log.ts";
import type { Signer } from "../../secrets/note-key.ts";
import { type Fault, sentenceOf } from "../fault.ts";
import type { TreeHead } from "../merkle.ts";
import { checkpointStatements } from "./database.ts";
import { treeFault } from "./faults.ts";
import { type Pass, watchRewrites } from "./rewrites.ts";
import { type Budget, type Outcome, readerOf, runCheckpoint, usualBudget } from "./run.ts";
import type { Witness } from "./witness.ts";

const usualPauseMs = 60_000;
/** Older entries that one run verifies while the whole log is verified: 1 to 2 seconds. */
const maxVerifiedInPass = 100_000;
/** How often a worker looks whether a run is due. */
const pollIntervalMs = 1_000;

export type CheckpointJob = {
  /** Runs once, unless another job runs or ran within the pause: then undefined. */
  run(): Promise<Outcome | undefined>;
  stop(): Promise<void>;
};

type Settings = {
  pool: Pool;
  log: Log;
  signer: Signer;
  witnesses?: Witness[];
  budget?: Budget;
  /** Defaults to 60 seconds. */
  pauseMs?: number;
};

/** Without a timer: tests call `run`. */
export function makeCheckpointJob(settings: Settings): CheckpointJob {
  const { pool, log, signer, witnesses = [], budget = usualBudget, pauseMs = usualPauseMs } = settings;
  /** The last head that this process has signed. A restored backup is behind it. */
  let known: TreeHead | undefined;
  let busy: Promise<unknown> = Promise.resolve();
  /** Earlier changes are verified: the oldest transaction that the last complete run without faults did not see. */
  let since: string | undefined;

  /** The next run follows at once: more entries wait than a run takes, or the whole log is being verified. */
  let more = false;
  const rewrites = watchRewrites();

  async function run(): Promise<Outcome | undefined> {
    const pause = more ? 0 : pauseMs;
    const due = await pool.query<{ due: boolean }>("select jobs.is_checkpoint_due($1 * interval '1 ms') as due", [
      pause,
    ]);
    if (!due.rows[0]?.due) return undefined;
    const refused = await askBefore();
    let pass: Pass = "none";
    let begun: string | undefined;
    const outcome = await inTransaction(pool, async (db) => {
      const statements = checkpointStatements(db);
      const latest = await statements.begin(pause);
      if (!latest) return undefined;
      begun = latest.oldest_transaction;
      if (latest.public_key !== null && latest.public_key !== signer.text)
        log.warn(
          { publicKey: latest.public_key },
          "the last checkpoint is of another key: expected once, after a new master key or AUDIT_ORIGIN",
        );
      pass = rewrites.passFor(await statements.rewrites());
      if (pass === "start") log.warn("rows of the audit log were changed or deleted, the whole log is verified");
      const verified = pass === "none" ? budget.verified : Math.max(budget.verified, maxVerifiedInPass);
      const from = pass === "start" ? 0 : latest.verified_leaves;
      const run = { statements, signer, budget: { ...budget, verified } };
      const found = [...refused, ...rewrites.faults()];
      const isPass = pass !== "none";
      return runCheckpoint(run, { ...latest, verified_leaves: from }, known, found, isPass ? undefined : since, isPass);
    });
    const isClean = outcome !== undefined && outcome.open.length === 0;
    if (isClean) rewrites.ran(pass, outcome.isPassComplete);
    if (isClean && !outcome.more) since = begun;
    more = isClean && (outcome.more || rewrites.isInPass());
    for (const fault of outcome?.open ?? [])
      log.error(fault, `fault in the audit log, no checkpoint is signed: ${sentenceOf(fault)}`);
    const signed = outcome?.signed;
    if (signed) {
      known = { size: signed.size, root: signed.root };
      await askAfter(signed);
    }
    return outcome;
  }

  /** A witness that knows a larger or different tree forbids the next checkpoint. */
  async function askBefore(): Promise<Fault[]> {
    const unsure = witnesses.filter((witness) => !witness.isSure());
    if (unsure.length === 0) return [];
    return withClient(pool, async (db) => {
      const { rows } = await db.query("select * from jobs.newest_checkpoint()");
      const [latest] = rows as { number: string; tree_size: string; note: string }[];
      if (!latest) return [];
      const head = { number: Number(latest.number), size: Number(latest.tree_size), note: latest.note };
      return submit(db, unsure, head);
    });
  }

  async function askAfter(signed: NonNullable<Outcome["signed"]>): Promise<void> {
    if (witnesses.length === 0) return;
    const refused = await withClient(pool, (db) => submit(db, witnesses, signed));
    if (refused.length > 0) {
      await pool.query("select jobs.record_audit_faults($1)", [JSON.stringify(refused)]);
      for (const fault of refused) log.error(fault, "a witness refused the checkpoint, no other is signed");
    }
  }

  async function submit(db: PoolClient, to: Witness[], head: { number: number; size: number; note: string }) {
    const read = readerOf(checkpointStatements(db));
    const answers = await Promise.all(to.map((witness) => witness.submit(head, read)));
    const faults: Fault[] = [];
    for (const [at, answer] of answers.entries()) {
      const { name } = to[at] as Witness;
      if (answer.kind === "cosigned") {
        await db.query("select jobs.store_cosignature($1, $2, $3)", [head.number, name, answer.line]);
      } else if (answer.kind === "refused") {
        log.error({ witness: name, status: answer.status, size: answer.size }, "a witness refused a checkpoint");
        faults.push(
          treeFault(answer.size !== undefined && answer.size > head.size ? "rolled_back" : "witness", answer.size),
        );
      } else
        log.warn({ witness: name, error: answer.error }, "a witness did not answer, the checkpoint goes without it");
    }
    return faults;
  }

  return {
    run() {
      const next = busy.then(run, run);
      busy = next.catch(() => {});
      return next;
    },
    stop: async () => void (await busy),
  };
}

export function startCheckpoints(settings: Settings): CheckpointJob {
  const job = makeCheckpointJob(settings);
  let busy: Promise<void> | undefined;
  const tick = () => {
    busy ??= job
      .run()
      .then(
        () => {},
        (error: Error) => settings.log.warn({ error: faultOf(error) }, "checkpoint run failed, will retry"),
      )
      .finally(() => {
        busy = undefined;
      });
  };
  const timer = setInterval(tick, Math.min(pollIntervalMs, settings.pauseMs ?? pollIntervalMs));
  tick();
  return {
    ...job,
    async stop() {
      clearInterval(timer);
      await busy;
      await job.stop();
    },
  };
}

async function withClient<T>(pool: Pool, use: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  try {
    return await use(db);
  } finally {
    db.release();
  }
}

const serializationFailure = "40001";

/** Undefined if another job changed the tree since this transaction's snapshot. */
async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T | undefined> {
  return withClient(pool, async (db) => {
    await db.query("begin isolation level repeatable read");
    try {
      const result = await work(db);
      await db.query("commit");
      return result;
    } catch (error) {
      await db.query("rollback").catch(() => {});
      if ((error as { code?: string }).code === serializationFailure) return undefined;
      throw error;
    }
  });
}
