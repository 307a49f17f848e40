/**
 * `npm run bench -- pressure`: a GET and a POST by Botstead and by the bare stack with few and with many connections, and
 * beside a process that keeps one core busy.
 */
import { spawn } from "node:child_process";
import type { Data } from "./data.ts";
import { measureLoad, type Round } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { figures } from "./rows.ts";
import { type System, type SystemName, startSystem } from "./systems.ts";
import { withTriggersOff } from "./triggers.ts";

type Pressure = { label: string; connections: number; besideBusy?: boolean };

const pressures: Pressure[] = [
  ...[1, 4, 32, 256].map((connections) => ({
    label: `${connections} connection${connections === 1 ? "" : "s"}`,
    connections,
  })),
  { label: "32 connections, beside a process that keeps one core busy", connections: 32, besideBusy: true },
];

/** The compared figures, by the title of their table. */
const pairs: Record<string, [bare: string, botstead: string]> = {
  "GET one": ["get-bare", "get"],
  POST: ["post-bare", "post"],
};

/** Returns Markdown tables. */
export async function measurePressure(data: Data, { rounds, seconds }: Options, folder: string): Promise<string> {
  const compared = figures(data).filter(({ id }) => Object.values(pairs).flat().includes(id));
  const measured = new Map<string, Round[]>();
  const systems = new Map<SystemName, System>();
  try {
    for (const figure of compared) {
      if ("system" in figure && !systems.has(figure.system)) {
        systems.set(figure.system, await startSystem(figure.system, data));
      }
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const { label, connections, besideBusy } of pressures) {
        const busy = besideBusy ? spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" }) : undefined;
        try {
          for (const figure of compared) {
            const system = "system" in figure ? systems.get(figure.system) : undefined;
            if (!system || !("requests" in figure)) continue;
            const run = () => measureLoad(system, { requests: figure.requests, seconds, connections }, folder);
            const result = await (figure.without ? withTriggersOff(data.adminUrl, figure.without, run) : run());
            const row = `${label} ${figure.id}`;
            if (round > 0) measured.set(row, [...(measured.get(row) ?? []), result]); // round 0 is a warm-up
          }
        } finally {
          busy?.kill("SIGKILL");
        }
      }
    }
  } finally {
    for (const system of systems.values()) await system.stop();
  }

  const cells = (label: string, [bareId, botsteadId]: [string, string]): string => {
    const of = (id: string, figure: "perSecond" | "p50" | "p99") =>
      median((measured.get(`${label} ${id}`) ?? []).map((round) => round[figure] ?? Number.NaN));
    const [bare, botstead] = [of(bareId, "perSecond"), of(botsteadId, "perSecond")];
    const latencies = [of(bareId, "p50"), of(botsteadId, "p50"), of(bareId, "p99"), of(botsteadId, "p99")];
    const rates = [bare, botstead].map((rate) => Math.round(rate).toLocaleString("en"));
    return [label, ...rates, (botstead / bare).toFixed(2), ...latencies.map((ms) => ms.toFixed(1))].join(" | ");
  };
  return [
    `Medians of ${rounds} interleaved rounds of ${seconds} s.`,
    ...Object.entries(pairs).map(([title, pair]) =>
      [
        `| ${title} | bare stack, per second | Botstead, per second | ratio | bare stack, p50 ms | Botstead, p50 ms | bare stack, p99 ms | Botstead, p99 ms |`,
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        ...pressures.map(({ label }) => `| ${cells(label, pair)} |`),
      ].join("\n"),
    ),
  ].join("\n\n");
}
