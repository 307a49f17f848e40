/**
 * `npm run bench -- floods`: the time of one caller's GET while others send the most expensive bodies. These are compressed
 * bodies without an accepted credential, and plain bodies with an accepted key at its full rate. A flood without bodies is
 * of credentials alone.
 */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { maxBodyBytes } from "../src/contract/body-limits.ts";
import { operations } from "../src/contract/operations.ts";
import { makeCredential } from "../src/secrets/credentials.ts";
import type { Data, Target } from "./data.ts";
import { load } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { type System, startSystem } from "./systems.ts";

const senders = 4;
/** Bytes per second of each sender; requests per second of an accepted key (300 per minute). */
const [bytesPerSecond, requestsPerSecond] = [10_000, 5];
/** Requests per second of each sender without a body. */
const refusedPerSecond = 100;

type Sent = { path: string; headers: Record<string, string>; body: Buffer };
type Flood = { label: string; make: () => Sent; perSecond: (sent: Sent) => number; senders: number };

/** A body of empty objects, the slowest content to parse and canonicalise. */
const objects = (bytes: number) =>
  Buffer.from(
    `{"operations":[${Array(Math.floor(bytes / 3) - 10)
      .fill("{}")
      .join(",")}]}`,
  );
const compressed = gzipSync(objects(1024 * 1024), { level: 9 });
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "none", arguments: { text: " ".repeat(144_000) } },
};
const compressedCall = gzipSync(JSON.stringify(call), { level: 9 });
/** The maximum number of members, unsorted, with the longest possible names that differ only in their ends. */
function members(path: string): Buffer {
  const operation = operations.find((each) => each.method === "post" && each.path === path);
  if (!operation) throw new Error(`There is no POST ${path}.`);
  const values = operation.maxBodyValues;
  const length = Math.floor(maxBodyBytes / values) - 8;
  const names = Array.from({ length: values - 1 }, (_, n) => `${(n * 7919) % values}`.padStart(length, "a"));
  return Buffer.from(`{${names.map((name) => `"${name}":{}`).join(",")}}`);
}
const jsonHeaders = { "content-type": "application/json" };
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const byBytes = ({ body, headers }: Sent) => bytesPerSecond / (body.length + JSON.stringify(headers).length + 60);

const floods = (accepted: Target): Flood[] => [
  {
    label: "compressed, no credential",
    make: () => ({ path: "/api/v1/batch", headers: { ...jsonHeaders, "content-encoding": "gzip" }, body: compressed }),
    perSecond: byBytes,
    senders,
  },
  {
    label: "compressed, a well-formed but unknown credential",
    make: () => ({
      path: "/api/v1/batch",
      headers: {
        ...jsonHeaders,
        ...bearer(makeCredential("bsk").text),
        "content-encoding": "gzip",
        "idempotency-key": "a",
      },
      body: compressed,
    }),
    perSecond: byBytes,
    senders,
  },
  {
    label: "compressed, a well-formed but unknown credential, `POST /mcp`",
    make: () => ({
      path: "/mcp",
      headers: { ...jsonHeaders, ...bearer(makeCredential("bsk").text), "content-encoding": "gzip" },
      body: compressedCall,
    }),
    perSecond: byBytes,
    senders,
  },
  {
    label: `no body, unknown credentials, ${senders * refusedPerSecond} per second`,
    make: () => ({ path: "/api/v1/batch", headers: bearer(makeCredential("bsk").text), body: Buffer.alloc(0) }),
    perSecond: () => refusedPerSecond,
    senders,
  },
  ...["/memories", "/batch"].map((path) => ({
    label: `plain, an accepted key at 300 per minute, \`POST ${path}\``,
    make: () => ({
      path: `/api/v1${path}`,
      headers: { ...jsonHeaders, ...bearer(accepted.bearer), "idempotency-key": randomUUID() },
      body: members(path),
    }),
    perSecond: () => requestsPerSecond,
    senders: 1,
  })),
];

/** Returns a Markdown table. */
export async function measureFloods(data: Data, { rounds, seconds }: Options): Promise<string> {
  const api = await startSystem("botstead", data);
  const [reader, accepted] = [data.targets[0] as Target, data.targets.at(-1) as Target];
  const all = floods(accepted);
  const latencies = new Map<string, number[]>();
  const statuses = new Map<string, Set<number>>();
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const flood of [undefined, ...all]) {
        const sending = flood && send(api, flood);
        const { p50 = 0 } = await load({ url: api.url, requests: [get(reader)], seconds, connections: 1 });
        const received = await sending?.stop();
        const label = flood?.label ?? "quiet";
        if (received) statuses.set(label, received);
        if (round > 0) latencies.set(label, [...(latencies.get(label) ?? []), p50]);
      }
    }
  } finally {
    await api.stop();
  }
  const quiet = median(latencies.get("quiet") ?? []);
  const lines = ["| Flood | status | GET p50, ms | ratio to quiet |", "|---|--:|--:|--:|"];
  for (const [label, values] of latencies) {
    const p50 = median(values);
    lines.push(
      `| ${label} | ${[...(statuses.get(label) ?? [])].join(", ")} | ${p50.toFixed(2)} | ${(p50 / quiet).toFixed(2)} |`,
    );
  }
  return [
    `Medians of ${rounds} interleaved rounds of ${seconds} s. One caller, one GET at a time. ${senders} senders at ${bytesPerSecond / 1000} KB per second each where no key is accepted. Compressed bodies of ${compressed.length} bytes for 1 MB.`,
    lines.join("\n"),
  ].join("\n\n");
}

const get = ({ memoryId, bearer: text }: Target) => ({
  method: "GET" as const,
  path: `/api/v1/memories/${memoryId}`,
  headers: bearer(text),
});

/** Sends requests at the rate of the flood until stopped. `stop` returns the status codes that were received. */
function send({ url }: System, flood: Flood): { stop(): Promise<Set<number>> } {
  const agent = new Agent({ keepAlive: true });
  const statuses = new Set<number>();
  let isStopped = false;
  const sender = async () => {
    for (let due = performance.now(); !isStopped; ) {
      const sent = flood.make();
      statuses.add(await post(agent, url + sent.path, sent));
      due += 1000 / flood.perSecond(sent);
      await sleep(Math.max(0, due - performance.now()));
    }
  };
  const all = Promise.all(Array.from({ length: flood.senders }, sender));
  return {
    async stop() {
      isStopped = true;
      await all;
      agent.destroy();
      return statuses;
    },
  };
}

function post(agent: Agent, url: string, { headers, body }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: "POST", agent, headers: { ...headers, "content-length": body.length } },
      (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once("error", () => resolve(0)); // the server closed the connection after its answer
    sent.end(body);
  });
}
