/** Processor time of a request in Node by step: samples of the CPU profiler, added up by the file that they belong to. */
import type { Profiler } from "node:inspector/promises";

const packages = (...names: string[]) => names.map((name) => `node_modules/${name}/`);

/** Parts of the path of a source file, and the step that it belongs to. The first match counts. */
const steps: [paths: string[], step: string][] = [
  [packages("pg", "pg-protocol", "pg-types", "pg-pool", "postgres-bytea"), "pg: write statement, parse answer"],
  [["src/database/"], "database pools: connection, query object, deadlines"],
  [["src/api/stages/respond.ts"], "response: headers and body"],
  [packages("express", "router", "finalhandler", "parseurl", "encodeurl"), "Express, before our middleware"],
  [[...packages("find-my-way"), "src/api/stages/match.ts"], "route"],
  [
    [
      ...["src/api/body.ts", "src/api/stages/read.ts"],
      ...packages("body-parser", "raw-body", "iconv-lite", "bytes", "content-type", "type-is"),
      ...packages("media-typer", "on-finished", "canonicalize"),
    ],
    "body: read, parse, canonicalise",
  ],
  [["src/api/stages/validate.ts", "src/api/cursors.ts", "src/contract/", ...packages("zod")], "validation by zod"],
  [["src/secrets/", "src/api/stages/authenticate.ts"], "credential: class, digest, owner"],
  [["src/web/rate-limiter.ts", "src/web/head.ts", ...packages("proxy-addr")], "rate limits"],
  [["src/api/stages/call.ts"], "statement values, answer parsing"],
  [["src/metrics/", ...packages("prom-client")], "metrics"],
  [["src/api/limits/usage.ts"], "requests per minute"],
  [["src/log.ts", ...packages("pino", "sonic-boom", "thread-stream")], "log"],
  [
    ["app.ts", "request.ts", "perform.ts", "stages/", "batch.ts"].map((name) => `src/api/${name}`),
    "request handling (perform, stages)",
  ],
];
const nodeStep = "node:http and sockets: parse, read, write";
const v8Steps = new Map([
  ["(garbage collector)", "garbage collection"],
  ["(program)", "outside JavaScript: event loop, kernel"],
]);

/** Each step's share of the time that was not idle. The sum is 1. */
export function sharesOf({ nodes, samples = [] }: Profiler.Profile): Map<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = new Map<number, string>();

  /** A frame of Node's own code belongs to the step of its caller; without such a caller, to Node. */
  function stepOf(id: number): string {
    const cached = known.get(id);
    if (cached) return cached;
    const { functionName, url } = byId.get(id)?.callFrame ?? { functionName: "(root)", url: "" };
    const parent = parents.get(id);
    const step =
      v8Steps.get(functionName) ??
      steps.find(([paths]) => paths.some((path) => url.includes(path)))?.[1] ??
      (parent === undefined ? nodeStep : stepOf(parent));
    known.set(id, step);
    return step;
  }

  const isIdle = (id: number) => byId.get(id)?.callFrame.functionName === "(idle)";
  const busy = samples.filter((id) => !isIdle(id));
  const counts = new Map<string, number>();
  for (const id of busy) counts.set(stepOf(id), (counts.get(stepOf(id)) ?? 0) + 1);
  return new Map([...counts].map(([step, count]) => [step, count / busy.length]));
}
