/** What few rows and many make of the requests that a process of the API serves in a second, 32 connections at a time. */
import type { MasterKey } from "../../src/secrets/master-key.ts";
import { type Contestant, startContestant } from "../contest.ts";
import { postgresCpuMs } from "../cpu.ts";
import type { Request } from "../load.ts";
import { connections, load } from "../measure.ts";
import { median } from "../median.ts";
import { claimPosted, kept } from "../rows.ts";
import type { Place } from "./operations.ts";

type Target = Place["targets"][number];
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
      headers: { ...kept, ...bearer(to) },
      body: claimPosted,
    }),
    organisations: 10, // as many as the few rows are of: who writes into one organisation waits for the head of its trail
  },
];

const empty = (): Figures => ({ perSecond: [], nodeUs: [], postgresUs: [] });

/** A table in Markdown. @param dataDir where the server's data are @param seconds that one measurement lasts */
export async function compareThroughput(
  key: MasterKey,
  [few, many]: [Place, Place],
  { rounds, seconds, dataDir, counts }: { rounds: number; seconds: number; dataDir: string; counts: [string, string] },
): Promise<string> {
  const apis: { place: Place; api: Contestant; found: Figures[] }[] = [];
  try {
    for (const place of [few, many]) {
      const api = await startContestant("botstead", { adminUrl: place.url, key, targets: [] });
      apis.push({ place, api, found: rows.map(empty) });
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const [nth, row] of rows.entries()) {
        for (const { place, api, found } of apis) {
          const one = await ask(api, place, row, seconds, dataDir);
          if (round === 0) continue; // V8 compiles, and rows are read for the first time
          for (const [figure, value] of Object.entries(one)) found[nth]?.[figure as keyof Figures].push(value);
        }
      }
    }
  } finally {
    for (const { api } of apis) await api.stop();
  }
  const [small, large] = apis.map(({ found }) => found) as [Figures[], Figures[]];
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

async function ask(api: Contestant, { targets }: Place, row: Row, seconds: number, dataDir: string) {
  const chosen = [...new Set(targets.map((target) => target.bearer))].slice(0, row.organisations);
  const requests = targets.filter((target) => chosen.includes(target.bearer)).map(row.request);
  const spent = async () => ({ node: (await api.spent()).cpuMs, postgres: postgresCpuMs(dataDir) ?? Number.NaN });
  const before = await spent();
  const { perSecond, served } = await load({ url: api.url, requests, seconds, connections });
  const after = await spent();
  return {
    perSecond,
    nodeUs: ((after.node - before.node) * 1000) / served,
    postgresUs: ((after.postgres - before.postgres) * 1000) / served,
  };
}
