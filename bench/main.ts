/** `npm run bench`: creates the data once, measures all systems in one run, prints the tables and updates the pages. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAnswers } from "./answers.ts";
import { type Data, makeData } from "./data.ts";
import { type DeliveryBench, openDeliveryBench } from "./deliveries/measure.ts";
import { durationsText, timed } from "./durations.ts";
import { type Context, groups } from "./groups.ts";
import { machine } from "./machine.ts";
import { type Medians, type Memory, measure } from "./measure.ts";
import { deliveries, isOwnTable, mainRows, readOptions, usage } from "./options.ts";
import { findPgbench, pgbenchVersion } from "./pgbench.ts";
import { report, type Section, writeReport } from "./report.ts";
import { figures } from "./rows.ts";
import { type System, type SystemName, startSystem } from "./systems.ts";
import { versionOf } from "./version-of.ts";

const log = (message: string) => process.stderr.write(`${message}\n`);

async function bench(context: Context): Promise<void> {
  const { rows } = context.options;
  const ownTables = rows.filter(isOwnTable);
  for (const row of ownTables) {
    const group = groups[row];
    if ("alone" in group) publish(row, await timed(row, () => group.alone(context)), context);
  }
  const onData = ownTables.flatMap((row) => {
    const group = groups[row];
    return "alone" in group ? [] : [{ row, ...group }];
  });
  const isMain = rows.some((row) => !isOwnTable(row));
  if (onData.length === 0 && !isMain) return;
  const memories = isMain ? context.options.memories : Math.max(...onData.map((group) => group.memories));
  const data = await timed("data", () => makeData({ ...context.options, memories }, context.folder, log));
  try {
    for (const { row, measure } of onData) publish(row, await timed(row, () => measure(data, context)), context);
    await measureRows("measured", mainRows, data, context);
    await measureRows("deliveries", [deliveries], data, context);
  } finally {
    await data.close();
  }
}

function publish(section: Section, tables: string, { options, folder }: Context): void {
  const text = `${machine(folder)}\n${tables}`;
  process.stdout.write(`${text}\n`);
  if (options.write) writeReport(section, text);
}

/** The wanted rows of this section, in one table. The table is written only if it is complete. */
async function measureRows(section: Section, all: string[], data: Data, context: Context): Promise<void> {
  const { options } = context;
  const rows = all.filter((row) => options.rows.includes(row));
  if (rows.length === 0) return;
  const selected = figures(data).filter((figure) => rows.includes(figure.row));
  const pgbench = findPgbench();
  const measured = await withSystems(data, context, selected, pgbench);
  const text = report({
    options,
    figures: selected,
    ...measured,
    memories: data.memories,
    versions: {
      Express: versionOf("express"),
      pg: versionOf("pg"),
      autocannon: versionOf("autocannon"),
      "Better Auth": versionOf("better-auth"),
      PostGraphile: versionOf("postgraphile"),
      ...(pgbench ? { pgbench: (await pgbenchVersion(pgbench)).replace("pgbench ", "") } : {}),
    },
    pgbench,
  });
  const write = options.write && rows.length === all.length;
  publish(section, text, { ...context, options: { ...options, write } });
}

async function withSystems(
  data: Data,
  { options, folder }: Context,
  selected: ReturnType<typeof figures>,
  pgbench: string | undefined,
): Promise<{ medians: Medians; memory: Memory | undefined }> {
  if (selected.length === 0) return { medians: new Map(), memory: undefined };
  const systems = new Map<SystemName, System>();
  let deliveryBench: DeliveryBench | undefined;
  try {
    for (const name of new Set(selected.flatMap((figure) => ("system" in figure ? figure.system : [])))) {
      systems.set(name, await startSystem(name, data, name === "botstead" ? options : {}));
    }
    if (selected.some((figure) => "delivery" in figure)) {
      deliveryBench = await openDeliveryBench(data, folder, options.profile);
    }
    await checkAnswers(selected, systems, data);
    return await measure(selected, systems, data, options, { folder, pgbench, deliveryBench, log });
  } finally {
    await deliveryBench?.close();
    for (const system of systems.values()) await system.stop();
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "botstead-bench-"));
  try {
    await bench({ options, folder, log });
  } finally {
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
    log(durationsText());
  }
}

try {
  await main();
} catch (error) {
  log((error as Error).message);
  process.exitCode = 1;
}
