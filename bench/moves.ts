/**
 * `npm run bench -- moves`: `--rounds` small organisations move between two clusters, under the full load of test/moves, and then
 * one with `--memories` does. Unlike in the tests, both clusters flush what they commit.
 */

import { Client } from "pg";
import { placeOrganisations } from "../src/cells/directory/administration.ts";
import { type Options as Move, type Step, startMove } from "../src/cells/moves/move.ts";
import { percentile, startFullLoad } from "../test/moves/full-load.ts";
import { unlimitedBuckets } from "../test/support/api.ts";
import { makeKey, makeOrganisation, setLimits } from "../test/support/database.ts";
import { type DirectedCells, directedCells } from "../test/support/directory.ts";
import { testWorker } from "../test/support/worker.ts";
import { fill } from "./fill.ts";
import type { Options } from "./options.ts";

/** The load before and after each move. */
const aroundMs = 3_000;
/** Of the rate of writes, for the large organisation: the copy of its rows and its larger indexes need the same processors. */
const shareOfLarge = 0.2;

/** Between two calls of each caller besides the writers, who keep a rate. */
const betweenCallsMs = 20;

type Moved = {
  memories: number;
  gigabytes: number;
  copySeconds: number;
  deleteSeconds: number;
  pauseMs: number;
  writes: number;
  p99Ms: number;
  slowestMs: number;
  retried: number;
  failed: number;
  lost: number;
};

/** Returns a Markdown table. */
export async function measureMoves(options: Options, log: (message: string) => void): Promise<string> {
  const durable = { fsync: "on", synchronous_commit: "on", shared_buffers: "512MB", max_wal_size: "4GB" };
  // The copy of a target with two processors would take both.
  const settings = { ...durable, max_sync_workers_per_subscription: "1" };
  const cells = await directedCells(settings);
  const apis = await Promise.all((["one", "two"] as const).map((cell) => cells.api(cell, {}, unlimitedBuckets())));
  const workers = await Promise.all([cells.source, cells.target].map((cell) => testWorker(cell)));
  try {
    const urls = apis.map(({ url }) => url);
    const small: Moved[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const { id, ownerId } = await makeOrganisation(cells.source);
      small.push(await moveUnderLoad(cells, urls, id, ownerId, options.writes, log));
    }
    const { id, ownerId } = await fillOne(cells, options, log);
    const large = await moveUnderLoad(cells, urls, id, ownerId, options.writes * shareOfLarge, log);
    return report(small, large, options.writes);
  } finally {
    await Promise.all([...workers, ...apis].map((each) => each.stop()));
    await cells.end();
  }
}

/** The small organisations have left the source. */
async function fillOne(
  { source }: DirectedCells,
  options: Options,
  log: (message: string) => void,
): Promise<{ id: string; ownerId: string }> {
  const admin = new Client({ connectionString: source.adminUrl });
  await admin.connect();
  await fill(admin, source.adminUrl, { ...options, organisations: 1 }, log);
  await admin.query("checkpoint");
  const { rows } = await admin.query<{ id: string; ownerId: string }>(
    `select organisation_id as id, person_id as "ownerId" from app.memberships where role = 'owner'`,
  );
  await admin.end();
  const [only] = rows;
  if (!only || rows.length > 1) throw new Error("The source should have one organisation.");
  return only;
}

async function moveUnderLoad(
  cells: DirectedCells,
  urls: string[],
  organisation: string,
  person: string,
  writesPerSecond: number,
  log: (message: string) => void,
): Promise<Moved> {
  const { source, target } = cells;
  await setLimits(source, organisation, { runStartsPerHour: 1_000_000 });
  const { text: key } = await makeKey(source, organisation, person);
  const bot = await fetch(`${urls[0]}/api/v1/bots`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "bot-of-the-bench",
    },
    body: JSON.stringify({ name: "Ada" }),
  });
  const load = startFullLoad({
    urls,
    key,
    bot: ((await bot.json()) as { id: string }).id,
    writesPerSecond,
    pauseMs: betweenCallsMs,
  });
  await new Promise((resolve) => setTimeout(resolve, aroundMs));
  const sizeBefore = await sizeOf(target);
  const steps = new Map<Step, number>();
  let gigabytes = 0;
  let current: Step | "before" | "after" = "before";
  const failures = new Map<string, number>();
  let counted = 0;
  /** Adds the calls that failed since the last time to the step that ends. */
  const enter = (next: Step | "after") => {
    for (const error of load.failed.slice(counted)) {
      const { code, status, message } = error as { code?: string; status?: number; message?: string };
      const kind = `${current}: ${code ?? String(error)} ${status ?? ""} ${message ?? ""}`;
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
    }
    counted = load.failed.length;
    current = next;
  };
  const move: Move = {
    ...{ organisation, from: "one", to: "two", sourceUrl: source.adminUrl, targetUrl: target.adminUrl },
    route: () => placeOrganisations(cells.directory, [organisation], "two"),
    async onStep(step) {
      steps.set(step, performance.now());
      enter(step);
      log(
        `${step} after ${((performance.now() - (steps.get("begin") ?? 0)) / 1_000).toFixed(1)} s, ${load.acknowledged.length} written`,
      );
      if (step === "switch") gigabytes = ((await sizeOf(target)) - sizeBefore) / 1e9;
    },
  };
  const { pauseMs = 0 } = await startMove(move);
  enter("after");
  await new Promise((resolve) => setTimeout(resolve, aroundMs));
  await load.end();
  await load.leave();
  const stored = await target.sql<{ value: string }>(
    "select value from app.memories where organisation_id = $1 and value ~ '^(write|batch) '",
    [organisation],
  );
  const kept = new Set(stored.map(({ value }) => value));
  const lost = load.acknowledged.filter((value) => !kept.has(value)).length;
  if (stored.length !== kept.size) throw new Error("A write has taken effect twice.");
  if ((await target.sql("select from audit.verify_chain($1)", [organisation])).length > 0)
    throw new Error("The chain is broken.");
  const [count] = await target.sql<{ count: string }>("select count(*) from app.memories where organisation_id = $1", [
    organisation,
  ]);
  const between = (one: Step, other: Step) => ((steps.get(other) ?? 0) - (steps.get(one) ?? 0)) / 1_000;
  enter("after");
  for (const [kind, count] of failures) log(`${count} failed in ${kind}`);
  return {
    ...{ memories: Number(count?.count), gigabytes, copySeconds: between("publish", "guard") },
    ...{ deleteSeconds: between("delete", "end"), pauseMs, writes: load.writeMs.length },
    ...{ p99Ms: percentile(load.writeMs, 0.99), slowestMs: Math.max(...load.writeMs) },
    retried: [...load.retried.values()].reduce((sum, times) => sum + times, 0),
    ...{ failed: load.failed.length, lost },
  };
}

async function sizeOf(cell: DirectedCells["target"]): Promise<number> {
  const [row] = await cell.sql<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  return Number(row?.bytes);
}

function report(small: Moved[], large: Moved, writesPerSecond: number): string {
  const row = (label: string, of: Moved[]) => {
    const worst = (figure: (move: Moved) => number) => Math.max(...of.map(figure));
    const sum = (figure: (move: Moved) => number) => of.reduce((total, move) => total + figure(move), 0);
    const figures = [
      of.length,
      worst(({ memories }) => memories).toLocaleString("en"),
      worst(({ gigabytes }) => gigabytes).toFixed(2),
      worst(({ copySeconds }) => copySeconds).toFixed(1),
      worst(({ deleteSeconds }) => deleteSeconds).toFixed(1),
      Math.round(worst(({ pauseMs }) => pauseMs)),
      sum(({ writes }) => writes).toLocaleString("en"),
      Math.round(worst(({ p99Ms }) => p99Ms)),
      Math.round(worst(({ slowestMs }) => slowestMs)),
      sum(({ retried }) => retried),
      sum(({ failed }) => failed),
      sum(({ lost }) => lost),
    ];
    return `| ${[label, ...figures].join(" | ")} |`;
  };
  const perGigabyte = large.copySeconds / large.gigabytes;
  return [
    `${writesPerSecond} writes/s offered to small organisations and ${writesPerSecond * shareOfLarge} to the large one, with batches, reads, runs, their streams, waiting reads and a live feed. ` +
      `The large one: ${perGigabyte.toFixed(0)} s for a gigabyte of tables and indexes. Worst of the moves of a row; a write's time counts from when it was due.`,
    [
      "| | moves | memories | GB | copy, s | delete, s | pause of writes, ms | writes | p99, ms | slowest, ms | retried by the client | failed | lost |",
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
      row("small", small),
      row("large", [large]),
    ].join("\n"),
  ].join("\n\n");
}
