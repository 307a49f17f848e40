/** Where a request's time goes in Node: samples of what JavaScript was at, added up by the step that it was for. */
import type { Profiler } from "node:inspector/promises";

/** By the file or package that a step is in; the first that fits. */
const steps: [files: RegExp, step: string][] = [
  [/node_modules\/(pg|pg-protocol|pg-types|pg-pool|postgres-bytea)\//, "pg: the statement written, the answer read"],
  [/src\/database\//, "lanes: which connection, the query's object, deadlines"],
  [/src\/http\/answer\.ts/, "the answer: headers and body handed to node:http"],
  [/node_modules\/(express|router|finalhandler|parseurl|encodeurl)\//, "Express, until our middleware"],
  [/node_modules\/find-my-way\/|src\/http\/router\.ts/, "the route"],
  [
    /src\/http\/body\.ts|node_modules\/(body-parser|raw-body|iconv-lite|bytes|content-type|type-is|media-typer|on-finished|canonicalize)\//,
    "the body: read, parsed, in canonical form",
  ],
  [/src\/http\/(admission|cursors)\.ts|src\/contract\/|node_modules\/zod\//, "the contract's check, by zod"],
  [/src\/secrets\/|src\/http\/identities\.ts/, "the bearer: its class and digest, whose it is"],
  [/src\/http\/(buckets|caller-address)\.ts|node_modules\/proxy-addr\//, "buckets"],
  [/src\/http\/handle\.ts/, "the statement's values, and its answer taken apart"],
  [/src\/http\/deadline\.ts/, "the deadline of five seconds"],
  [/src\/metrics\/|node_modules\/prom-client\//, "metrics"],
  [/src\/http\/request-minutes\.ts/, "requests by the minute"],
  [/src\/log\.ts|node_modules\/(pino|sonic-boom|thread-stream)\//, "log"],
  [/src\/http\/request-id\.ts/, "the request's id"],
  [/src\/http\/(app|operation|secrets|batch)\.ts/, "what leads from one to the next (app, operation)"],
];
const ofNode = "node:http and sockets: requests parsed, read and written";
const ofV8 = new Map([
  ["(garbage collector)", "garbage collection"],
  ["(program)", "outside JavaScript: the event loop, the kernel"],
]);

/** Of the time that was not idle, what each step took; the shares add up to one. */
export function sharesOf({ nodes, samples = [] }: Profiler.Profile): Map<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = new Map<number, string>();

  /** A frame of Node's own belongs to whoever called it, and to Node where nobody did. */
  function stepOf(id: number): string {
    const found = known.get(id);
    if (found) return found;
    const { functionName, url } = byId.get(id)?.callFrame ?? { functionName: "(root)", url: "" };
    const parent = parents.get(id);
    const step =
      ofV8.get(functionName) ??
      steps.find(([files]) => files.test(url))?.[1] ??
      (parent === undefined ? ofNode : stepOf(parent));
    known.set(id, step);
    return step;
  }

  const isIdle = (id: number) => byId.get(id)?.callFrame.functionName === "(idle)";
  const busy = samples.filter((id) => !isIdle(id));
  const counts = new Map<string, number>();
  for (const id of busy) counts.set(stepOf(id), (counts.get(stepOf(id)) ?? 0) + 1);
  return new Map([...counts].map(([step, count]) => [step, count / busy.length]));
}
