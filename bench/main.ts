/** `npm run bench`: creates the data once, measures all systems in one run, prints the tables and updates the pages. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAnswers } from "./answers.ts";
import { measureAuditLog } from "./audit-log.ts";
import { measureCells } from "./cells.ts";
import { type Data, makeData } from "./data.ts";
import { type DeliveryBench, openDeliveryBench } from "./deliveries/measure.ts";
import { measureErasure } from "./erasure.ts";
import { measureFloods } from "./floods.ts";
import { type Leases, openLeases } from "./leases.ts";
import { measureLists } from "./lists.ts";
import { measureLiveFeed } from "./live-feed.ts";
import { type Medians, type Memory, measure } from "./measure.ts";
import { measureMoves } from "./moves.ts";
import { measureNeighbours } from "./neighbours.ts";
import { hasOwnTable, type Options, readOptions, usage } from "./options.ts";
import { findPgbench, pgbenchVersion } from "./pgbench.ts";
import { measurePressure } from "./pressure.ts";
import { measureProcesses } from "./processes.ts";
import { measureProfile } from "./profile/measure.ts";
import { measureRateLimits } from "./rate-limits.ts";
import { report, writeReport } from "./report.ts";
import { figures } from "./rows.ts";
import { measureScale } from "./scale/measure.ts";
import { measureSearch } from "./search/measure.ts";
import { measureSizes } from "./sizes.ts";
import { measureStarts } from "./starts.ts";
import { measureStreams } from "./streams.ts";
import { type System, type SystemName, startSystem } from "./systems.ts";
import { versionOf } from "./version-of.ts";

const log = (message: string) => process.stderr.write(`${message}\n`);

/** Rows that make their own data, and run only if they are named. */
const withoutData = {
  scale: (options: Options, folder: string) => measureScale(options, folder, log),
  moves: (options: Options) => measureMoves(options, log),
  lists: ({ rounds }: Options) => measureLists(rounds, log),
};

async function bench(options: Options): Promise<void> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "botstead-bench-"));
  const wanted = (row: string) => options.rows.length === 0 || options.rows.includes(row);
  try {
    for (const [row, measure] of Object.entries(withoutData)) {
      if (!options.rows.includes(row)) continue;
      const text = await measure(options, folder);
      process.stdout.write(`${text}\n`);
      if (options.write) writeReport(row as keyof typeof withoutData, text);
      if (options.rows.length === 1) return;
    }
    const processes = wanted("processes") ? await measureProcesses(folder) : undefined;
    const onlyOwnTables = options.rows.length > 0 && options.rows.every(hasOwnTable);
    const data = await makeData(
      onlyOwnTables
        ? {
            ...options,
            memories: [
              "live",
              "audit-log",
              "profile",
              "rate-limits",
              "pressure",
              "cells",
              "starts",
              "sizes",
              "floods",
            ].some(wanted)
              ? 20_000
              : 0,
          }
        : options,
      folder,
      log,
    );
    try {
      if (wanted("search")) {
        const text = await measureSearch(data.adminUrl, data.key, log);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("search", text);
      }
      if (wanted("live")) {
        const text = await measureLiveFeed(data, folder, options.rounds);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("live", text);
      }
      if (wanted("audit-log")) {
        const text = await measureAuditLog(data, options.rounds);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("audit-log", text);
      }
      if (wanted("profile")) {
        const text = await measureProfile(data, Math.min(options.seconds, 3), log);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("profile", text);
      }
      if (wanted("rate-limits")) {
        const text = await measureRateLimits(data, options, folder);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("rate-limits", text);
      }
      if (wanted("pressure")) {
        const text = await measurePressure(data, options, folder);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("pressure", text);
      }
      if (wanted("cells")) {
        const text = await measureCells(data, options, folder);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("cells", text);
      }
      if (wanted("starts")) {
        const text = await measureStarts(data, options, folder);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("starts", text);
      }
      if (wanted("neighbours")) {
        const text = await measureNeighbours(data, folder);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("neighbours", text);
      }
      if (wanted("sizes")) {
        const text = await measureSizes(data);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("sizes", text);
      }
      if (wanted("floods")) {
        const text = await measureFloods(data, options);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("floods", text);
      }
      if (wanted("erasure")) {
        const text = await measureErasure(data, options.rounds);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("erasure", text);
      }
      if (onlyOwnTables) return;
      const selected = figures(data).filter((figure) => wanted(figure.row));
      const pgbench = findPgbench();
      const measured = await withSystems(data, options, selected, pgbench, folder);
      const streams = wanted("streams") ? await measureStreams(data, options.rounds, log) : undefined;
      const text = report({
        options,
        figures: selected,
        ...measured,
        processes,
        streams,
        memories: data.memories,
        versions: {
          Node: process.versions.node,
          PostgreSQL: data.version,
          Express: versionOf("express"),
          pg: versionOf("pg"),
          autocannon: versionOf("autocannon"),
          "Better Auth": versionOf("better-auth"),
          PostGraphile: versionOf("postgraphile"),
          ...(pgbench ? { pgbench: (await pgbenchVersion(pgbench)).replace("pgbench ", "") } : {}),
        },
        pgbench,
      });
      process.stdout.write(`${text}\n`);
      if (options.write) writeReport("measured", text);
    } finally {
      await data.close();
    }
  } finally {
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  }
}

async function withSystems(
  data: Data,
  options: Options,
  selected: ReturnType<typeof figures>,
  pgbench: string | undefined,
  folder: string,
): Promise<{ medians: Medians; memory: Memory | undefined }> {
  if (selected.length === 0) return { medians: new Map(), memory: undefined };
  const systems = new Map<SystemName, System>();
  let deliveryBench: DeliveryBench | undefined;
  let leases: Leases | undefined;
  try {
    for (const name of new Set(selected.flatMap((figure) => ("system" in figure ? figure.system : [])))) {
      systems.set(name, await startSystem(name, data, name === "botstead" ? options : {}));
    }
    if (selected.some((figure) => "delivery" in figure)) {
      deliveryBench = await openDeliveryBench(data, folder, options.profile);
    }
    const finished = selected.flatMap((figure) => ("finished" in figure ? figure.finished : []));
    if (finished.length > 0) leases = await openLeases(data, finished, log);
    await checkAnswers(selected, systems, data);
    return await measure(selected, systems, data, options, { folder, pgbench, deliveryBench, leases, log });
  } finally {
    await leases?.close();
    await deliveryBench?.close();
    for (const system of systems.values()) await system.stop();
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(usage);
  else await bench(options);
} catch (error) {
  log((error as Error).message);
  process.exitCode = 1;
}
