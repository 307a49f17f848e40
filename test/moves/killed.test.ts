/** A move that is killed at each step, or whose databases or directory are. (docs/moves.md) */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { abortMove, resumeMove, type Step, startMove, steps } from "../../src/cells/moves/move.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { expectNoTraces } from "./cells-of-file.ts";
import {
  expectMoved,
  expectOwner,
  isAfter,
  type KillableCells,
  organisationAtSource,
  startKillableCells,
  stateOf,
  statuses,
  statusesAt,
} from "./killable-cells.ts";
import { memory } from "./load.ts";
import type { Task } from "./mover.ts";

/** In the long form each step is killed this often. */
const rounds = howMany(1, 20);
const maxMs = howMany(300_000, 3_600_000);

async function repeated(
  name: string,
  once: (round: number) => Promise<{ kept: number; wanted: number; kills: number }>,
): Promise<void> {
  const counts = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { kept, wanted, ...killed } = await once(round);
    counts.acknowledged += wanted;
    counts.lost += Math.max(0, wanted - kept);
    counts.doubled += Math.max(0, kept - wanted);
    kills += killed.kills;
  }
  reportCounts(name, { ...counts, note: `${kills} kills, one owner after each` });
  expect(counts).toMatchObject({ lost: 0, doubled: 0 });
}

let started: KillableCells;

beforeAll(async () => {
  started = await startKillableCells();
});
afterAll(async () => {
  await killPrograms();
  await started?.end();
});

test.each(["source", "target"] as const)(
  "a move whose %s database is killed at each step in turn has one owner and is ended by --resume",
  (name) =>
    repeated(`moves whose ${name} database is killed`, async () => {
      const { id, key, options } = await organisationAtSource(started);
      const killed: Step[] = [];
      for (const step of steps) {
        const onStep = async (now: Step) => {
          if (now !== step) return;
          await started.servers[name].kill();
          await started.servers[name].start();
          killed.push(step);
        };
        await expect(((await stateOf(started, id)) ? resumeMove : startMove)({ ...options, onStep })).rejects.toThrow();
        expect(killed.at(-1)).toBe(step);
        await expectOwner(started, key, statusesAt(step));
      }
      await resumeMove(options);
      return { kept: await expectMoved(started, id), wanted: 1, kills: killed.length };
    }),
  maxMs,
);

const script = fileURLToPath(new URL("./mover.ts", import.meta.url));

test(
  "a mover that is killed at each step in turn leaves one owner, and --resume ends its move and leaves nothing",
  () =>
    repeated("movers that are killed", async (round) => {
      const { id, key, options } = await organisationAtSource(started);
      const { route: _, ...of } = options;
      const waits = round % 2 === 0; // at the step; in other rounds the mover is killed in the middle of it
      const run = async (waitAt?: Step) => {
        const task: Task = {
          ...of,
          directoryUrl: started.directoryUrl,
          isResumed: (await stateOf(started, id)) !== undefined,
          waitAt,
        };
        return runProgram([JSON.stringify(task)], { script });
      };
      let kills = 0;
      for (const [index, step] of steps.entries()) {
        if ((await stateOf(started, id)) === "moved") break;
        const mover = await run(waits ? step : undefined);
        await mover.says(new RegExp(`^(${steps.slice(index).join("|")})$`, "m"));
        if (!waits) await sleep(Math.random() * 30); // somewhere inside of the step or of the next ones
        const { signal, code, stderr } = await mover.kill();
        if (signal === null) expect([code, stderr]).toEqual([0, ""]);
        else kills += 1;
        await expectOwner(started, key, ...(waits ? [statusesAt(step)] : Object.values(statuses)));
      }
      if ((await stateOf(started, id)) !== "moved")
        expect(await (await run()).ending).toMatchObject({ code: 0, stderr: "" });
      await expectNoTraces(started.cells);
      return { kept: await expectMoved(started, id), wanted: 1, kills };
    }),
  maxMs,
);

test(
  "a move whose two databases are killed is ended by --abort at each step before the switch, and leaves nothing",
  () =>
    repeated("moves whose databases are killed, then aborted", async () => {
      const { id, key, options } = await organisationAtSource(started);
      for (const step of steps.slice(0, steps.indexOf("switch") + 1)) {
        const onStep = async (now: Step) => {
          if (now !== step) return;
          for (const server of [started.servers.source, started.servers.target]) {
            await server.kill();
            await server.start();
          }
        };
        await expect(startMove({ ...options, onStep })).rejects.toThrow();
        if (step !== "begin") await abortMove(options); // nothing is begun before the first step
        await expectNoTraces(started.cells);
        for (const cell of [started.cells.source, started.cells.target])
          expect(await cell.sql("select from app.organisation_moves where organisation_id = $1", [id])).toEqual([]);
        for (const { quoted, key: column } of await started.cells.target.sql<{ quoted: string; key: string }>(
          "select quoted, key from service.moved_tables",
        ))
          expect(await started.cells.target.sql(`select from app.${quoted} where ${column} = $1`, [id])).toEqual([]);
      }
      await expectOwner(started, key, statuses.before);
      expect((await started.from.call("POST", "/memories", { key, body: memory("Shallow.") })).status).toBe(201);
      const { body } = await started.from.call("GET", "/memories", { key });
      return { kept: body.data.length, wanted: 2, kills: 2 * (steps.indexOf("switch") + 1) };
    }),
  maxMs,
);

test(
  "a move whose directory is killed at each step stops only at its entry there, and known credentials work",
  () =>
    repeated("moves whose directory is killed", async () => {
      const { key, options } = await organisationAtSource(started);
      const status = async () => (await started.both.call("GET", "/memories", { key })).status;
      expect(await status()).toBe(200);
      const seen: [Step, number][] = [];
      let killed = 0;
      const onStep = async (step: Step) => {
        await started.servers.directory.kill();
        killed += 1;
        if (!isAfter(step, "switch")) seen.push([step, await status()]);
        if (step !== "route") await started.servers.directory.start();
      };
      await expect(startMove({ ...options, onStep })).rejects.toThrow();
      expect(seen).toEqual(steps.slice(0, steps.indexOf("route")).map((step) => [step, 200]));
      expect(await status()).toBe(503);
      await started.servers.directory.start();
      await resumeMove({ ...options, onStep: (step) => (step === "route" ? undefined : onStep(step)) });
      await eventually(async () => (await status()) === 200);
      const { body } = await started.both.call("GET", "/memories", { key });
      return { kept: body.data.length, wanted: 1, kills: killed };
    }),
  maxMs,
);
