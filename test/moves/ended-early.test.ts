/** Moves that end early, and moves at the same time: what stays, and who is the owner. (docs/moves.md) */
import { abortMove, resumeMove, type Step, startMove, steps } from "../../src/cells/moves/move.ts";
import { faultsOf, testCheckpoints } from "../support/checkpoints.ts";
import { begun, lockWaits, terminateWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";
import { between, type Cell, cellsOfFile, tablesWithRows } from "./cells-of-file.ts";
import { memory } from "./load.ts";

const here = cellsOfFile();

test("a move that is aborted before its switch leaves nothing at the target, and can be made again", async () => {
  const { id, key, options } = await here.organisation();
  for (const wanted of steps.slice(1, steps.indexOf("switch") + 1)) {
    const onStep = (step: Step) => {
      if (step === wanted) throw new Error("killed");
    };
    await expect(startMove({ ...options, onStep })).rejects.toThrow("killed");
    const noted: string[] = [];
    const noting = (phase: string) => ({ ...options, note: async () => void noted.push(phase) });
    await expect(startMove(noting("start"))).rejects.toThrow("A move of this organisation is under way.");
    await abortMove(noting("abort"));
    await expect(abortMove(noting("abort again"))).rejects.toThrow("No move of this organisation is under way.");
    await expect(resumeMove(noting("resume"))).rejects.toThrow("No move of this organisation is under way.");
    expect(noted).toEqual(["abort"]);
    expect((await here.from.call("POST", "/memories", { key, body: memory(wanted) })).status).toBe(201);
    expect([
      ...(await tablesWithRows(here.target, id)),
      ...(await here.target.sql("select from app.audit_log where organisation_id = $1", [id])),
    ]).toEqual([]);
    await here.expectNothingLeft();
  }
  await expect(abortMove(options)).rejects.toThrow("No move of this organisation is under way.");
  // PostgreSQL has counted the deleted copy of the audit log: it is no fault.
  const counted = "select from jobs.count_rewrites() where name like 'audit_log_%' and rewrites > 0";
  await eventually(async () => (await here.target.sql(counted)).length > 0);
  expect(faultsOf(await testCheckpoints(here.target, { signer: here.signerOf(here.target) }).run())).toEqual([]);
  await startMove(options);
  expect((await here.to.call("GET", "/memories", { key })).body.data).toHaveLength(steps.indexOf("switch"));
});

/** A transaction that reads a table, for which the drop of its policy waits. */
async function readingMemories(cell: Cell) {
  const reader = await begun(cell);
  await reader.query("select from app.memories limit 1");
  return reader;
}

test("a move that is killed while it removes its policies is ended by --resume or --abort, and leaves nothing", async () => {
  const { id, options } = await here.organisation();
  const killedAtReveal = async (move: typeof startMove, last: Step, cell: Cell) => {
    const moving = move({
      ...options,
      onStep: (step) => (step === last ? Promise.reject(new Error("killed")) : undefined),
    });
    await expect(moving).rejects.toThrow("killed");
    const reader = await readingMemories(cell);
    const ending = (last === "switch" ? abortMove : resumeMove)(options);
    await Promise.all([expect(ending).rejects.toThrow(), terminateWaiting(cell, "botstead move")]);
    await reader.query("rollback");
  };
  for (const cell of [here.target, here.source]) {
    await killedAtReveal(startMove, "switch", cell);
    await abortMove(options);
    await here.expectNothingLeft();
  }
  await killedAtReveal(startMove, "end", here.source);
  await resumeMove(options);
  await here.expectNothingLeft();
  expect(await tablesWithRows(here.source, id)).toEqual([]);
});

test("a move that begins while another move ends keeps all policies that hide its copy", async () => {
  const [ending, beginning] = [await here.organisation(), await here.organisation()];
  const policies = async () => (await here.source.sql("select from pg_policy where polname = 'botstead_move'")).length;
  let end = async () => {};
  const first = startMove({
    ...ending.options,
    async onStep(step) {
      if (step !== "end") return;
      const reader = await readingMemories(here.source);
      end = async () => void (await reader.query("rollback"));
    },
  });
  await eventually(async () => (await lockWaits(here.source, "application_name = 'botstead move'")) > 0);
  const all = await here.source.sql("select from service.moved_tables");
  expect(await policies()).toBeLessThan(all.length);
  await startMove({
    ...beginning.options,
    async onStep(step) {
      if (step !== "publish") return;
      await end();
      await first;
      expect(await policies()).toBe(all.length);
    },
  });
  await here.expectNothingLeft();
});

test("moves that end at once leave nothing: the last one to be recorded removes the policies", async () => {
  let arrived = 0;
  const moves = await Promise.all([here.organisation(), here.organisation()]);
  const atOnce = (last: Step) => async (step: Step) => {
    if (step !== last) return;
    arrived += 1;
    await eventually(async () => arrived === moves.length);
  };
  await Promise.all(moves.map(({ options }) => startMove({ ...options, onStep: atOnce("end") })));
  await here.expectNothingLeft();

  const others = await Promise.all([here.organisation(), here.organisation()]);
  for (const { options } of others)
    await expect(
      startMove({
        ...options,
        onStep: (step) => (step === "switch" ? Promise.reject(new Error("killed")) : undefined),
      }),
    ).rejects.toThrow("killed");
  await Promise.all(others.map(({ options }) => abortMove(options)));
  await here.expectNothingLeft();
});

test("of two moves of an organisation that begin at once, one is refused", async () => {
  const { id, options } = await here.organisation();
  let begun = 0;
  const both = [0, 1].map(() =>
    startMove({
      ...options,
      async onStep(step) {
        if (step !== "begin") return;
        begun += 1;
        await eventually(async () => begun === 2); // neither is recorded yet
      },
    }),
  );
  const ended = await Promise.allSettled(both);
  expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: expect.stringContaining("A move of this organisation is under way.") },
  });
  expect(await tablesWithRows(here.target, id)).toContain("organisations");
  await here.expectNothingLeft();
});

test("while a process works on a move, another process can neither continue nor abort it", async () => {
  const { id, key, options } = await here.organisation();
  await startMove({
    ...options,
    async onStep(step) {
      if (step !== "copied" && step !== "delete") return;
      for (const refused of await Promise.allSettled([resumeMove(options), abortMove(options)]))
        expect(refused).toMatchObject({
          reason: {
            message: expect.stringMatching(/^Another process works on this move: session \d+ of the database test_/),
          },
        });
    },
  });
  expect((await here.to.call("GET", "/me", { key })).status).toBe(200);
  expect(await tablesWithRows(here.source, id)).toEqual([]);
});

test("a move is continued to the cell and the database where it began", async () => {
  const { id, key, options } = await here.organisation();
  const killedAt = (wanted: Step) => (step: Step) =>
    step === wanted ? Promise.reject(new Error("killed")) : Promise.resolve();
  await expect(startMove({ ...options, onStep: killedAt("switch") })).rejects.toThrow("killed");
  for (const other of [resumeMove, abortMove])
    await expect(other({ ...options, to: "three" })).rejects.toThrow("moves to the cell two. Name that cell.");
  await expect(resumeMove({ ...options, onStep: killedAt("route") })).rejects.toThrow("killed");
  const further = await here.beside();
  await expect(resumeMove({ ...options, targetUrl: further.adminUrl })).rejects.toThrow(
    "The target does not have this organisation",
  );
  await expect(resumeMove({ ...options, onStep: killedAt("delete") })).rejects.toThrow("killed");
  const back = between(here.target, further, id);
  await expect(startMove({ ...back, to: "three" })).rejects.toThrow("to this cell has not ended");
  await resumeMove(options);
  expect((await here.to.call("GET", "/me", { key })).status).toBe(200);
});
