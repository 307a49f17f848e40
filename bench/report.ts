/** Formats the results as tables and writes them into the pages, between markers, so that no figure is copied by hand. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Figure } from "./figure.ts";
import type { Medians, Memory } from "./measure.ts";
import type { Options } from "./options.ts";
import { installPgbench } from "./pgbench.ts";
import { ratios } from "./ratios.ts";

/** The page of each generated section. */
const pages = {
  measured: "./notes/results.md",
  deliveries: "./notes/results.md",
  pressure: "./notes/pressure.md",
  cells: "./notes/cells.md",
  moves: "./notes/cells.md",
  "rate-limits": "./notes/rate-limits.md",
  lists: "./notes/lists.md",
  live: "./notes/live-feed.md",
  "audit-log": "./notes/audit-log.md",
  erasure: "./notes/isolation.md",
  imports: "./notes/imports.md",
  floods: "./notes/isolation.md",
  neighbours: "./notes/isolation.md",
  profile: "./notes/profile.md",
  scale: "./notes/scale.md",
  search: "./notes/search.md",
  sizes: "./notes/growth.md",
  starts: "./notes/runs.md",
  streams: "./notes/runs.md",
  leases: "./notes/runs.md",
  processes: "./notes/results.md",
};
export type Section = keyof typeof pages;

export type Result = {
  options: Options;
  figures: Figure[];
  medians: Medians;
  memory: Memory | undefined;
  /** Rows of app.memories before the first measurement. */
  memories: number;
  versions: Record<string, string>;
  pgbench: string | undefined;
};

export function report(result: Result): string {
  const parts = [conditions(result)];
  if (result.medians.size > 0) parts.push(throughput(result), compared(result));
  if (result.memory) parts.push(memoryTable(result.memory));
  return parts.join("\n\n");
}

/** Replaces a generated section of its page. @throws Error when a marker is missing. */
export function writeReport(section: Section, text: string): void {
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`];
  const page = new URL(pages[section], import.meta.url);
  const before = readFileSync(page, "utf8");
  const [head, rest] = before.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined)
    throw new Error(`${page.pathname} lacks a marker: add "${begin}" and "${end}".`);
  writeFileSync(page, `${head}${begin}\n\n${text}\n\n${end}${tail}`);
}

function conditions({ options, memories, versions, pgbench }: Result): string {
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const lines = [
    `${memories.toLocaleString("en")} memories of ${options.organisations} organisations; medians of ${options.rounds} interleaved rounds of ` +
      `${options.seconds} s; 32 connections; load, Node and PostgreSQL share the cores; fsync on.`,
    `${software.join(", ")}.`,
  ];
  if (!pgbench) lines.push(`pgbench was not found, so its rows are missing: \`${installPgbench}\` installs it.`);
  return lines.join("\n");
}

function throughput({ figures, medians }: Result): string {
  const lines = [
    "| | per second | lowest to highest | p50 ms | p95 ms | p99 ms | CPU of Node, µs each | CPU of PostgreSQL, µs each |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
  ];
  const whole = (value: number | undefined) => (value === undefined ? "" : Math.round(value).toLocaleString("en"));
  const ms = (value: number | undefined) => value?.toFixed(1) ?? "";
  for (const { id, label } of figures) {
    const median = medians.get(id);
    if (!median) continue;
    const range = `${whole(median.lowest)} to ${whole(median.highest)}`;
    const cells = [
      label,
      whole(median.perSecond),
      range,
      ms(median.p50),
      ms(median.p95),
      ms(median.p99),
      whole(median.nodeUs),
    ];
    lines.push(`| ${[...cells, whole(median.postgresUs)].join(" | ")} |`);
  }
  return lines.join("\n");
}

const short = (value: number) => (value < 1000 ? value.toFixed(2) : Math.round(value).toLocaleString("en"));

function compared({ medians }: Result): string {
  const lines = ["| Ratio | measured | minimum | target |", "|---|--:|--:|--:|"];
  for (const { label, of, by, figure = "perSecond", worth = 1, minimum, target } of ratios) {
    const [above, below] = [medians.get(of), by === undefined ? undefined : medians.get(by)];
    if (!above || (by !== undefined && !below)) continue;
    const whole = (above[figure] ?? Number.NaN) * worth;
    const measured = below ? whole / (below[figure] ?? Number.NaN) : whole;
    const shown = [measured, minimum, target].map((value) => (value === undefined ? "" : short(value)));
    lines.push(`| ${[label, ...shown].join(" | ")} |`);
  }
  return lines.join("\n");
}

function memoryTable({ idle, loaded }: Memory): string {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return [
    "| Memory | measured | target |",
    "|---|--:|--:|",
    `| API process, idle | ${mb(idle)} | 120 MB |`,
    `| API process, maximum under the loads above | ${mb(loaded)} | 200 MB |`,
  ].join("\n");
}
