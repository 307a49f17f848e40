/** `npm run bench -- rate-limits`: the cost of rate limits that are counted in the database (RATE_LIMITS=shared). */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import { sessionCpu } from "./cpu.ts";
import type { Data, Target } from "./data.ts";
import type { Request } from "./load.ts";
import { connections, load } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { startSystem } from "./systems.ts";

const systems = { botstead: "per process", shared: "shared" } as const;
type Counting = keyof typeof systems;
const countings = Object.keys(systems) as Counting[];
const slice = 400;
const slicesEach = 6;
const unlimited = 2_000_000_000;

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

/** Returns two Markdown tables. */
export async function measureRateLimits(data: Data, options: Options): Promise<string> {
  const parts = [
    `${new Date().toISOString().slice(0, 10)}; medians of ${options.rounds} interleaved rounds of ${options.seconds} s, and of ${options.rounds * slicesEach} slices of ${slice} calls; ${connections} connections; PostgreSQL ${data.version}.`,
    await overHttp(data, options),
    await withoutHttp(data, options),
  ];
  return parts.join("\n\n");
}

/** Over HTTP: 40 keys of 20 organisations, and one key, whose rate-limit row all connections share. */
async function overHttp(data: Data, { rounds, seconds }: Options): Promise<string> {
  const rates = new Map<string, number[]>();
  const targets = { "40 keys": data.targets, "one key": data.targets.slice(0, 1) };
  const running = await Promise.all(countings.map(async (name) => ({ name, api: await startSystem(name, data) })));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [method, request] of Object.entries(requests)) {
        for (const [keys, by] of Object.entries(targets)) {
          for (const { name, api } of running) {
            const measured = await load({ url: api.url, requests: by.map(request), seconds, connections });
            const row = `${method}, ${keys}, ${name}`;
            rates.set(row, [...(rates.get(row) ?? []), measured.perSecond]);
          }
        }
      }
    }
  } finally {
    for (const { api } of running) await api.stop();
  }
  const lines = ["| Requests per second | per process | shared | ratio |", "|---|--:|--:|--:|"];
  for (const method of Object.keys(requests)) {
    for (const keys of Object.keys(targets)) {
      const [own, shared] = countings.map((name) => median(rates.get(`${method}, ${keys}, ${name}`) ?? []));
      lines.push(
        `| ${method}, ${keys} | ${whole(own ?? 0)} | ${whole(shared ?? 0)} | ${((shared ?? 0) / (own ?? 0)).toFixed(2)} |`,
      );
    }
  }
  return lines.join("\n");
}

/** One connection as role server, without HTTP: processor time of its backend process. */
async function withoutHttp(data: Data, { rounds }: Options): Promise<string> {
  const client = new Client({ connectionString: urlAs("server", data.adminUrl, data.key) });
  await client.connect();
  const microseconds = await sessionCpu(client);
  const [target] = data.targets as [Target];
  const refusal = '{"code":"rate_limited"}';
  const get = (problem: string | null) => [
    target.digest,
    "get_memory",
    JSON.stringify({ id: target.memoryId }),
    problem,
  ];
  const post = () => [target.digest, "create_memory", JSON.stringify({ ...JSON.parse(body), ...defaults }), null];
  const keyed = () => [randomUUID(), randomBytes(32), randomBytes(32), null];
  const unkeyed = () => [randomUUID(), null, null, null];
  const kinds = {
    GET: { call: () => [...get(null), ...unkeyed()], uncounted: () => [...get(null), ...unkeyed()], limit: unlimited },
    POST: { call: () => [...post(), ...keyed()], uncounted: () => [...post(), ...keyed()], limit: unlimited },
    "refused with 429": {
      call: () => [...get(null), ...unkeyed()],
      uncounted: () => [...get(refusal), ...unkeyed()],
      limit: 0,
    },
  };
  const lines = [
    "| Processor time of PostgreSQL for a call, µs | per process | shared | difference |",
    "|---|--:|--:|--:|",
  ];
  try {
    for (const [kind, { call, uncounted, limit }] of Object.entries(kinds)) {
      const times: Record<Counting, number[]> = { botstead: [], shared: [] };
      for (let round = 0; round < rounds * slicesEach; round += 1) {
        for (const name of countings) {
          const send = () =>
            name === "shared"
              ? client.query({ name, text: counted, values: [...call(), 1, `{${limit},${limit}}`] })
              : client.query({ name, text: plain, values: uncounted() });
          for (let warming = 0; warming < 20; warming += 1) await send();
          const before = microseconds();
          for (let number = 0; number < slice; number += 1) await send();
          times[name].push((microseconds() - before) / slice);
        }
      }
      const [process, shared] = countings.map((name) => median(times[name])) as [number, number];
      lines.push(`| ${kind} | ${whole(process)} | ${whole(shared)} | ${whole(shared - process)} |`);
    }
  } finally {
    await client.end();
  }
  return lines.join("\n");
}

const defaults = { subjectKind: "organisation", confidence: 1, lawfulBasis: "legitimate_interests" };
const plain = "select api.handle($1, $2, $3, $4, $5, $6, $7, $8)";
const counted = "call api.handle_counted($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null)";
