/**
 * Killed executors: real processes, at every point of a run. Committed work is kept, uncommitted work is undone, and
 * another executor continues the run. (docs/specification/runs.md#states, running to queued.)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import type { Assignment } from "../../src/runner/engine.ts";
import { handExecutor, leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { openPostOffice, type PostOffice } from "../support/post-office.ts";
import { runState } from "../support/stored.ts";
import { eventually } from "../support/worker.ts";

let office: PostOffice;
let pool: Pool;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  pool = office.db.poolAs("runner");
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await office.close();
});

const program = fileURLToPath(new URL("../support/executor-child.ts", import.meta.url));

/** A run whose executor process was killed at this point. */
async function killedAt(stand: string): Promise<Workplace & { id: string; lease: Assignment }> {
  const at = await workplace(office, pool);
  const id = await at.who.run("Where is the harbour?");
  const url = urlAs("runner", office.db.adminUrl, office.db.key);
  const child = spawn(process.execPath, [program, url, randomUUID(), at.model, "3 seconds", stand], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const [said] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const lease = JSON.parse(said.toString()) as Assignment;
  expect(lease.runId).toBe(id);
  if (stand === "finished, unacknowledged")
    await eventually(async () => (await runState(office.db, id)) === "completed");
  child.kill("SIGKILL");
  await once(child, "exit");
  children.delete(child);
  return { ...at, id, lease };
}

const said = async ({ who }: Workplace, id: string) =>
  ((await who.ask("GET", `/runs/${id}/messages`)).body.data as { author: string; text: string }[])
    .map(({ author, text }) => `${author}: ${text}`)
    .reverse();

test.each([
  ["leased", 0],
  ["mid step", 0],
  ["between steps", 1],
  ["before finish", 2],
  ["mid finish", 1],
])(
  "after an executor was killed at %j, its run has %d steps, and another executor continues it",
  async (stand, kept) => {
    const at = await killedAt(stand);
    const other = await handExecutor(office.db, pool, [at.model]);
    let taken: Assignment | null = null;
    await eventually(async () => {
      taken = await other.lease();
      return taken !== null;
    });
    const run = taken as unknown as Assignment;
    expect(run).toMatchObject({
      runId: at.id,
      steps: kept,
      left: { steps: 50 - kept, spendMicroCents: 200_000_000 - kept * 5 },
    });
    expect(run.leaseId).not.toBe(at.lease.leaseId);
    await expect(other.finish(at.lease, "From beyond the grave.")).rejects.toMatchObject({ code: "OA002" });
    await other.step(run, 5);
    expect(await other.finish(run, "On the north side.")).toBe("completed");
    expect((await at.who.ask("GET", `/runs/${at.id}`)).body).toMatchObject({
      state: "completed",
      steps: kept + 1,
      spendMicroCents: (kept + 1) * 5,
    });
    expect(await said(at, at.id)).toEqual(["person: Where is the harbour?", "bot: On the north side."]);
    const spent = await office.db.sql(
      "select spend_micro_cents::int as spent from app.monthly_usage where organisation_id = $1",
      [at.who.organisation.id],
    );
    expect(spent).toEqual([{ spent: (kept + 1) * 5 }]);
  },
);

test("after an executor was killed while its run waits for an approval, the answer lets another executor continue", async () => {
  const at = await killedAt("waiting for an approval");
  const behind = await at.who.run("And the lighthouse?");
  expect(await at.executor.lease()).toBeNull();
  expect(await runState(office.db, at.id)).toBe("waiting_approval");
  await office.db.sql("update app.approvals set state = 'approved', answered_at = now() where run_id = $1", [at.id]);
  const again = await leased(at.executor);
  expect(again).toMatchObject({ runId: at.id, steps: 1, approvals: [{ question: "May I?", state: "approved" }] });
  await at.executor.finish(again);
  expect((await leased(at.executor)).runId).toBe(behind);
});

test("a run that was blocked stays blocked when its executor is killed", async () => {
  const at = await killedAt("blocked");
  expect(await at.executor.lease()).toBeNull();
  expect(await runState(office.db, at.id)).toBe("blocked");
  await at.who.ask("POST", `/runs/${at.id}/resume`, { message: "The first." });
  expect(await leased(at.executor)).toMatchObject({ runId: at.id, steps: 1 });
});

test("an executor killed after the commit of its answer, before its confirmation, has answered once", async () => {
  const at = await killedAt("finished, unacknowledged");
  await expect(at.executor.finish(at.lease, "Done again.")).rejects.toMatchObject({ code: "OA002" });
  const next = await at.who.run("And the lighthouse?");
  expect((await leased(at.executor)).runId).toBe(next); // the conversation continues with the next run
  expect(await said(at, at.id)).toEqual(["person: Where is the harbour?", "bot: Done."]);
  expect(await runState(office.db, at.id)).toBe("completed");
});
