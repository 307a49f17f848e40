/** `npm run bench -- rate-limits`: the cost of rate limits that are counted in the database (RATE_LIMITS=shared). */
import type { Data, Target } from "./data.ts";
import type { Request } from "./load.ts";
import { connections, measureLoad, type Round } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { startSystem } from "./systems.ts";

const countings = ["botstead", "shared"] as const;

const body = JSON.stringify({ scope: "organisation", kind: "fact", subject: "We", value: "We are measured." });
const bearer = (target: Target) => ({ authorization: `Bearer ${target.bearer}` });
const requests: Record<string, (target: Target) => Request> = {
  GET: (to) => ({ method: "GET", path: `/api/v1/memories/${to.memoryId}`, headers: bearer(to) }),
  POST: (to) => ({
    method: "POST",
    path: "/api/v1/memories",
    headers: { "idempotency-key": "[<id>]", "content-type": "application/json", ...bearer(to) },
    body,
  }),
};

const whole = (value: number) => Math.round(value).toLocaleString("en");
const processorTime = ({ nodeUs = Number.NaN, postgresUs = Number.NaN }: Round) => nodeUs + postgresUs;

/** 40 keys of 20 organisations, and one key, whose rate-limit row all connections share. Returns Markdown tables. */
export async function measureRateLimits(data: Data, { rounds, seconds }: Options, folder: string): Promise<string> {
  const kinds = Object.entries(requests).flatMap(([method, request]) => [
    { label: `${method}, 40 keys`, requests: data.targets.map(request) },
    { label: `${method}, one key`, requests: data.targets.slice(0, 1).map(request) },
  ]);
  const measured = new Map<string, Round[]>();
  const running = await Promise.all(countings.map(async (name) => ({ name, api: await startSystem(name, data) })));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const { label, requests } of kinds) {
        for (const { name, api } of running) {
          const row = `${label}, ${name}`;
          const result = await measureLoad(api, { requests, seconds, connections }, folder);
          measured.set(row, [...(measured.get(row) ?? []), result]);
        }
      }
    }
  } finally {
    for (const { api } of running) await api.stop();
  }

  const table = (title: string, figure: (round: Round) => number) => {
    const lines = kinds.map(({ label }) => {
      const [own = 0, shared = 0] = countings.map((name) =>
        median((measured.get(`${label}, ${name}`) ?? []).map(figure)),
      );
      return `| ${label} | ${whole(own)} | ${whole(shared)} | ${(shared / own).toFixed(2)} |`;
    });
    return [`| ${title} | per process | shared | ratio |`, "|---|--:|--:|--:|", ...lines].join("\n");
  };
  return [
    `Medians of ${rounds} interleaved rounds of ${seconds} s; ${connections} connections.`,
    table("Requests per second", ({ perSecond }) => perSecond),
    table("Processor time of Node and PostgreSQL, µs each", processorTime),
  ].join("\n\n");
}
