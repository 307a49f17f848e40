/** Moves behind one API with a directory: clients see no failed call. (docs/moves.md) */
import { setTimeout as sleep } from "node:timers/promises";
import { administerDirectory, placeOrganisations } from "../../src/cells/directory/administration.ts";
import { type Options, resumeMove, type Step, startMove, steps } from "../../src/cells/moves/move.ts";
import { between } from "../moves/cells-of-file.ts";
import { memory, pauseMs } from "../moves/load.ts";
import { type Json, type TestApi, unlimitedBuckets } from "../support/api.ts";
import { makeExecutor, makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { type DirectedCells, directedCells } from "../support/directory.ts";
import { signed } from "../support/sign.ts";

let cells: DirectedCells;
let api: TestApi;
let other: TestApi;

beforeAll(async () => {
  cells = await directedCells();
  api = await cells.api("one", {}, unlimitedBuckets());
  other = await cells.api("two", {}, unlimitedBuckets());
  await Promise.all([cells.source, cells.target].map((each) => makeExecutor(each)));
});
afterAll(async () => {
  await Promise.all([api?.stop(), other?.stop()]);
  await cells?.end();
});

async function anOrganisation() {
  const { id, ownerId } = await makeOrganisation(cells.source);
  await setLimits(cells.source, id, { runStartsPerHour: 100_000, webhookStartsPerHour: 100_000 }); // a slow machine makes more calls
  const { text: key } = await makeKey(cells.source, id, ownerId);
  const options: Options = {
    ...between(cells.source, cells.target, id),
    route: () => placeOrganisations(cells.directory, [id], "two"),
  };
  return { id, key, options };
}

test("during a move every call of two API processes succeeds, without a retry of the client", async () => {
  const { id, key, options } = await anOrganisation();
  const bot = (await api.call("POST", "/bots", { key, body: { name: "Ada" } })).body.id;
  const hook = (await api.call("POST", "/hooks", { key, body: { botId: bot, name: "Alerts" } })).body;
  let isOver = false;
  const statuses = new Map<string, number>();
  const written: string[] = [];
  let slowestMs = 0;
  const repeat = async (name: string, call: (number: number, at: TestApi) => Promise<{ status: number }>) => {
    for (let number = 0; !isOver; number += 1) {
      const began = performance.now();
      const { status } = await call(number, number % 2 ? other : api);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      const seen = `${name} ${status}`;
      statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
      await sleep(pauseMs); // between two calls of a caller
    }
  };
  const load = Promise.all([
    ...["a", "b", "c"].map((writer) =>
      repeat("memory", async (number, at) => {
        const value = `${writer} ${number}`;
        const reply = await at.call("POST", "/memories", { key, body: memory(value) });
        written.push(value);
        return reply;
      }),
    ),
    repeat("read", (_, at) => at.call("GET", "/memories?limit=5", { key })),
    repeat("batch", (number, at) => {
      written.push(`batch ${number}`);
      const operations = [{ method: "POST", path: "/memories", body: memory(`batch ${number}`) }];
      return at.call("POST", "/batch", { key, body: { operations } });
    }),
    repeat("run", async (_, at) => {
      await sleep(100); // the rate of runs
      return at.call("POST", "/runs", { key, body: { botId: bot, message: "Harbour?" } });
    }),
    repeat("hook", async (number, at) => {
      await sleep(100); // the rate of posts
      return at.call("POST", `/hooks/${hook.id}/receive`, {
        idempotencyKey: null,
        ...signed(hook.secret, `post ${number}`),
      });
    }),
    repeat("mint", async (number, at) => {
      await sleep(300); // keys are limited
      const body = { name: `key ${number}`, scope: "read", expiresInDays: 5 };
      const minted = await at.call<Json>("POST", "/keys", { key, body });
      if (minted.status !== 201) return { status: minted.status === 429 ? 429 : minted.status };
      const { status } = await (at === api ? other : api).call("GET", "/memories?limit=1", { key: minted.body.key });
      await at.call("DELETE", `/keys/${minted.body.id}`, { key });
      return { status };
    }),
  ]);
  await sleep(500); // of load before the move
  const { pauseMs: waitedMs } = await startMove(options);
  await sleep(500); // and after it
  isOver = true;
  await load;
  process.stdout.write(`writes waited ${waitedMs?.toFixed(0)} ms, the slowest call took ${slowestMs.toFixed(0)} ms\n`);
  for (const seen of statuses.keys()) expect(seen).toMatch(/ 2\d\d$/);
  const rows = await cells.target.sql<{ value: string }>("select value from app.memories where organisation_id = $1", [
    id,
  ]);
  expect(rows.map(({ value }) => value).sort()).toEqual([...written].sort());
  expect(await cells.source.sql("select from app.memories where organisation_id = $1", [id])).toEqual([]);
});

test("a move that is killed at each step never has an organisation that two cells serve, and ends by --resume", async () => {
  const { id, key, options } = await anOrganisation();
  await api.call("POST", "/memories", { key, body: memory("Deep.") });
  const killAt = (wanted: Step) => (step: Step) => {
    if (step === wanted) throw new Error(`killed at ${step}`);
  };
  for (const [index, step] of steps.entries()) {
    const go = index < 2 ? startMove : resumeMove; // before its first change there is nothing to resume
    await expect(go({ ...options, onStep: killAt(step) })).rejects.toThrow(`killed at ${step}`);
    const between = ["route", "unsubscribe", "activate"].includes(step);
    const { status } = await api.call("GET", "/memories", { key });
    expect([step, status]).toEqual([step, between ? 503 : 200]);
  }
  await resumeMove(options);
  expect((await other.call("GET", "/memories", { key })).body.data).toHaveLength(1);
  expect(await cells.directory.rows("select cell from directory.organisations where id = $1", [id])).toEqual([
    { cell: "two" },
  ]);
});

test("a move whose directory is away stops before the target is active, and ends by --resume", async () => {
  const { key, options } = await anOrganisation();
  expect((await api.call("GET", "/me", { key })).status).toBe(200);
  const away = async () => {
    const gone = await administerDirectory(cells.directoryUrl.replace(/directory_\w+$/, "directory_gone"));
    await gone.end();
  };
  await expect(startMove({ ...options, route: away })).rejects.toThrow("directory_gone");
  expect((await api.call("GET", "/me", { key })).status).toBe(503);
  await resumeMove(options);
  expect((await api.call("GET", "/me", { key })).status).toBe(200);
});
