/**
 * Rounds: each round measures all figures once, so that a slow minute of the machine affects all systems. Round 0 is a
 * warm-up and does not count: at a few hundred requests per second, V8 compiles for longer than the warm-up of one figure.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { postgresCpuMs } from "./cpu.ts";
import type { Data } from "./data.ts";
import type { DeliveryBench } from "./deliveries/measure.ts";
import { timed } from "./durations.ts";
import type { Figure } from "./figure.ts";
import type { Load, LoadMeasured, LoadResult, Measured } from "./load.ts";
import type { Options } from "./options.ts";
import { runPgbench } from "./pgbench.ts";
import type { System, SystemName } from "./systems.ts";
import { withTriggersOff } from "./triggers.ts";

/** Connections of the HTTP load and of pgbench. */
export const connections = 32;

/** Medians of the rounds, and the lowest and highest throughput. Latencies in ms. */
export type Median = {
  perSecond: number;
  lowest: number;
  highest: number;
  p50?: number;
  p95?: number;
  p99?: number;
  /** Processor time of the system's process for each request, µs. */
  nodeUs?: number;
  postgresUs?: number;
};
export type Medians = Map<string, Median>;
/** Resident memory of the API process, bytes. */
export type Memory = { idle: number; loaded: number };

export type Round = Measured & { nodeUs?: number | undefined; postgresUs?: number | undefined };
type Tools = {
  folder: string;
  pgbench: string | undefined;
  deliveryBench: DeliveryBench | undefined;
  log: (message: string) => void;
};

export async function measure(
  figures: Figure[],
  systems: Map<SystemName, System>,
  data: Data,
  options: Options,
  tools: Tools,
): Promise<{ medians: Medians; memory: Memory | undefined }> {
  const api = systems.get("botstead");
  const memory = api && { idle: (await api.usage()).rss, loaded: 0 };
  const results = new Map<string, Round[]>();
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const figure of figures) {
      if (round === 0 && !("system" in figure)) continue;
      const run = () => measureOne(figure, systems, data, options, tools);
      const measured = await timed(figure.row, () =>
        figure.without ? withTriggersOff(data.adminUrl, figure.without, run) : run(),
      );
      if (!measured) continue;
      if (api && memory) memory.loaded = Math.max(memory.loaded, (await api.usage()).rss);
      tools.log(`round ${round}: ${figure.label.replaceAll("*", "")}: ${Math.round(measured.perSecond)} per second`);
      if (round > 0) results.set(figure.id, [...(results.get(figure.id) ?? []), measured]);
    }
  }
  return { medians: new Map([...results].map(([id, rounds]) => [id, medianOf(rounds)])), memory };
}

async function measureOne(
  figure: Figure,
  systems: Map<SystemName, System>,
  data: Data,
  { seconds }: Options,
  { folder, pgbench, deliveryBench }: Tools,
): Promise<Round | undefined> {
  if ("call" in figure)
    return pgbench ? runPgbench(pgbench, data, figure.call, { folder, seconds, connections }) : undefined;
  if ("delivery" in figure) return deliveryBench?.measure(figure.delivery, seconds);
  const system = systems.get(figure.system);
  return system && measureLoad(system, { requests: figure.requests, seconds, connections }, folder);
}

/** @param folder of the data, for the processor time of PostgreSQL */
export async function measureLoad(system: System, settings: Omit<Load, "url">, folder: string): Promise<Round> {
  const before = { node: (await system.usage()).cpuMs, postgres: postgresCpuMs(folder) };
  const measured = await load({ url: system.url, ...settings });
  const after = { node: (await system.usage()).cpuMs, postgres: postgresCpuMs(folder) };
  const each = (from?: number, to?: number) =>
    from === undefined || to === undefined ? undefined : ((to - from) * 1000) / measured.served;
  return { ...measured, nodeUs: each(before.node, after.node), postgresUs: each(before.postgres, after.postgres) };
}

function medianOf(rounds: Round[]): Median {
  const perSecond = rounds.map((round) => round.perSecond).sort((a, b) => a - b);
  const result: Median = {
    perSecond: middle(perSecond) ?? 0,
    lowest: perSecond[0] ?? 0,
    highest: perSecond.at(-1) ?? 0,
  };
  for (const name of ["p50", "p95", "p99", "nodeUs", "postgresUs"] as const) {
    const value = middle(rounds.flatMap((round) => round[name] ?? []));
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function middle(values: number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export function load(settings: Load): Promise<LoadMeasured> {
  const child = fork(fileURLToPath(new URL("./load.ts", import.meta.url)));
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("The process of the load exited before it finished.")));
    child.once("message", (result: LoadResult) => {
      if ("error" in result) reject(new Error(result.error));
      else resolve(result.measured);
    });
    child.send(settings);
  });
}
