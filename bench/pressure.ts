/**
 * `npm run bench -- pressure`: a GET by Botstead and by the bare stack with few and with many connections, and beside a
 * process that keeps one core busy.
 */
import { spawn } from "node:child_process";
import type { Data } from "./data.ts";
import { measureLoad, type Round } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { figures } from "./rows.ts";
import { startSystem } from "./systems.ts";

type Pressure = { label: string; connections: number; besideBusy?: boolean };

const pressures: Pressure[] = [
  ...[1, 4, 32, 256].map((connections) => ({
    label: `${connections} connection${connections === 1 ? "" : "s"}`,
    connections,
  })),
  { label: "32 connections, beside a process that keeps one core busy", connections: 32, besideBusy: true },
];

/** Returns a Markdown table. */
export async function measurePressure(data: Data, { rounds, seconds }: Options, folder: string): Promise<string> {
  const compared = figures(data).filter((figure) => figure.id === "get-bare" || figure.id === "get");
  const measured = new Map<string, Round[]>();
  const running = await Promise.all(
    compared.flatMap((figure) =>
      "system" in figure ? startSystem(figure.system, data).then((system) => ({ ...figure, system })) : [],
    ),
  );
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { label, connections, besideBusy } of pressures) {
        const busy = besideBusy ? spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" }) : undefined;
        try {
          for (const { id, system, requests } of running) {
            const result = await measureLoad(system, { requests, seconds, connections }, folder);
            const row = `${label} ${id}`;
            if (round > 0) measured.set(row, [...(measured.get(row) ?? []), result]); // round 0 is a warm-up
          }
        } finally {
          busy?.kill("SIGKILL");
        }
      }
    }
  } finally {
    for (const { system } of running) await system.stop();
  }

  const cells = (label: string): string => {
    const of = (id: string, figure: "perSecond" | "p50" | "p99") =>
      median((measured.get(`${label} ${id}`) ?? []).map((round) => round[figure] ?? Number.NaN));
    const [bare, botstead] = [of("get-bare", "perSecond"), of("get", "perSecond")];
    const latencies = [of("get-bare", "p50"), of("get", "p50"), of("get-bare", "p99"), of("get", "p99")];
    const rates = [bare, botstead].map((rate) => Math.round(rate).toLocaleString("en"));
    return [label, ...rates, (botstead / bare).toFixed(2), ...latencies.map((ms) => ms.toFixed(1))].join(" | ");
  };
  return [
    `${new Date().toISOString().slice(0, 10)}; medians of ${rounds} interleaved rounds of ${seconds} s; PostgreSQL ${data.version}.`,
    [
      "| GET one | bare stack, per second | Botstead, per second | ratio | bare stack, p50 ms | Botstead, p50 ms | bare stack, p99 ms | Botstead, p99 ms |",
      "|---|--:|--:|--:|--:|--:|--:|--:|",
      ...pressures.map(({ label }) => `| ${cells(label)} |`),
    ].join("\n"),
  ].join("\n\n");
}
