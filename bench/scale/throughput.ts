/** Requests per second of an API process with few rows and with many, with 32 connections. */
import type { MasterKey } from "../../src/secrets/master-key.ts";
import { postgresCpuMs } from "../cpu.ts";
import type { Request } from "../load.ts";
import { connections, load } from "../measure.ts";
import { median } from "../median.ts";
import { memoryBody, writeHeaders } from "../rows.ts";
import { type System, startSystem } from "../systems.ts";
import type { ScaleDatabase } from "./operations.ts";

type Target = ScaleDatabase["targets"][number];
type Row = { label: string; request: (target: Target) => Request; organisations?: number };
type Figures = { perSecond: number[]; nodeUs: number[]; postgresUs: number[] };

const bearer = ({ bearer }: Target) => ({ authorization: `Bearer ${bearer}` });

const rows: Row[] = [
  {
    label: "GET a memory",
    request: (to) => ({ method: "GET", path: `/api/v1/memories/${to.memory}`, headers: bearer(to) }),
  },
  {
    label: "list 50 memories",
    request: (to) => ({ method: "GET", path: "/api/v1/memories?limit=50", headers: bearer(to) }),
  },
  {
    label: "POST a memory",
    request: (to) => ({
      method: "POST",
      path: "/api/v1/memories",
      headers: { ...writeHeaders, ...bearer(to) },
      body: memoryBody,
    }),
    organisations: 10, // as many as the small database has: writes of one organisation wait for its chain head
  },
];

const empty = (): Figures => ({ perSecond: [], nodeUs: [], postgresUs: [] });

/** Returns a Markdown table. @param dataDir data directory of the server @param seconds of one measurement */
export async function compareThroughput(
  key: MasterKey,
  [few, many]: [ScaleDatabase, ScaleDatabase],
  { rounds, seconds, dataDir, counts }: { rounds: number; seconds: number; dataDir: string; counts: [string, string] },
): Promise<string> {
  const apis: { database: ScaleDatabase; api: System; results: Figures[] }[] = [];
  try {
    for (const database of [few, many]) {
      const api = await startSystem("botstead", { adminUrl: database.url, key, targets: [] });
      apis.push({ database, api, results: rows.map(empty) });
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const [nth, row] of rows.entries()) {
        for (const { database, api, results } of apis) {
          const one = await send(api, database, row, seconds, dataDir);
          if (round === 0) continue; // warm-up: V8 compiles, and caches fill
          for (const [figure, value] of Object.entries(one)) results[nth]?.[figure as keyof Figures].push(value);
        }
      }
    }
  } finally {
    for (const { api } of apis) await api.stop();
  }
  const [small, large] = apis.map(({ results }) => results) as [Figures[], Figures[]];
  return [
    `| ${connections} connections | per second, ${counts[0]} | ${counts[1]} | ratio | CPU of Node, µs each | ratio | CPU of PostgreSQL, µs each | ratio |`,
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...rows.map(({ label }, nth) => {
      const [a, b] = [small[nth] ?? empty(), large[nth] ?? empty()];
      const whole = (values: number[]) => Math.round(median(values)).toLocaleString("en");
      const ratio = (figure: keyof Figures) => (median(b[figure]) / median(a[figure])).toFixed(2);
      const cells = [label, whole(a.perSecond), whole(b.perSecond), ratio("perSecond")];
      return `| ${[...cells, whole(b.nodeUs), ratio("nodeUs"), whole(b.postgresUs), ratio("postgresUs")].join(" | ")} |`;
    }),
  ].join("\n");
}

async function send(api: System, { targets }: ScaleDatabase, row: Row, seconds: number, dataDir: string) {
  const chosen = [...new Set(targets.map((target) => target.bearer))].slice(0, row.organisations);
  const requests = targets.filter((target) => chosen.includes(target.bearer)).map(row.request);
  const usage = async () => ({ node: (await api.usage()).cpuMs, postgres: postgresCpuMs(dataDir) ?? Number.NaN });
  const before = await usage();
  const { perSecond, served } = await load({ url: api.url, requests, seconds, connections });
  const after = await usage();
  return {
    perSecond,
    nodeUs: ((after.node - before.node) * 1000) / served,
    postgresUs: ((after.postgres - before.postgres) * 1000) / served,
  };
}
