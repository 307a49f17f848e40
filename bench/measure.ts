/**
 * Rounds: everything is measured once, then everything again, so that a slow minute of the machine is everybody's. In a
 * round before the first, which does not count, V8 compiles what will be measured: at some hundred requests a second that
 * takes longer than a measurement's own warm-up.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Claims } from "./claims.ts";
import type { Contestant, ContestantName } from "./contest.ts";
import { postgresCpuMs } from "./cpu.ts";
import type { Data } from "./data.ts";
import type { PostOffice } from "./deliveries/measure.ts";
import type { Figure } from "./figure.ts";
import type { Load, LoadAnswer, Measured } from "./load.ts";
import type { Options } from "./options.ts";
import { runPgbench } from "./pgbench.ts";
import { withTriggersOff } from "./triggers.ts";

/** Of the load and of pgbench. */
export const connections = 32;

/** Medians of the rounds; of the throughput also the lowest and the highest. Latencies in ms. */
export type Median = {
  perSecond: number;
  lowest: number;
  highest: number;
  p50?: number;
  p95?: number;
  p99?: number;
  /** Processor time of the contestant's process for one request, µs. */
  nodeUs?: number;
  postgresUs?: number;
};
export type Medians = Map<string, Median>;
/** Resident bytes of the API's process. */
export type Memory = { idle: number; loaded: number };

type Round = Measured & { nodeUs?: number | undefined; postgresUs?: number | undefined };
type Around = {
  folder: string;
  pgbench: string | undefined;
  postOffice: PostOffice | undefined;
  claims: Claims | undefined;
  say: (what: string) => void;
};

export async function measure(
  figures: Figure[],
  contestants: Map<ContestantName, Contestant>,
  data: Data,
  options: Options,
  around: Around,
): Promise<{ medians: Medians; memory: Memory | undefined }> {
  const api = contestants.get("botstead");
  const memory = api && { idle: (await api.spent()).rss, loaded: 0 };
  const found = new Map<string, Round[]>();
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const figure of figures) {
      if (round === 0 && !("contestant" in figure)) continue;
      const asked = () => one(figure, contestants, data, options, around);
      const measured = await (figure.without ? withTriggersOff(data.adminUrl, figure.without, asked) : asked());
      if (!measured) continue;
      if (api && memory) memory.loaded = Math.max(memory.loaded, (await api.spent()).rss);
      around.say(`round ${round}: ${figure.label.replaceAll("*", "")}: ${Math.round(measured.perSecond)} a second`);
      if (round > 0) found.set(figure.id, [...(found.get(figure.id) ?? []), measured]);
    }
  }
  return { medians: new Map([...found].map(([id, rounds]) => [id, medianOf(rounds)])), memory };
}

async function one(
  figure: Figure,
  contestants: Map<ContestantName, Contestant>,
  data: Data,
  { seconds }: Options,
  { folder, pgbench, postOffice, claims }: Around,
): Promise<Round | undefined> {
  if ("call" in figure)
    return pgbench ? runPgbench(pgbench, data, figure.call, { folder, seconds, connections }) : undefined;
  if ("finished" in figure) return claims?.measure(figure.finished);
  if ("delivery" in figure) return postOffice?.measure(figure.delivery, seconds);
  const contestant = contestants.get(figure.contestant);
  const before = { node: (await contestant?.spent())?.cpuMs, postgres: postgresCpuMs(folder) };
  const measured = await load({ url: contestant?.url ?? "", requests: figure.requests, seconds, connections });
  const after = { node: (await contestant?.spent())?.cpuMs, postgres: postgresCpuMs(folder) };
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

export function load(asked: Load): Promise<Measured> {
  const child = fork(fileURLToPath(new URL("./load.ts", import.meta.url)));
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("The load ended by itself.")));
    child.once("message", (answer: LoadAnswer) => {
      if ("fault" in answer) reject(new Error(answer.fault));
      else resolve(answer.measured);
    });
    child.send(asked);
  });
}
