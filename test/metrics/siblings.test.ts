/** Metrics between processes: a process whose metrics cannot be read stays silent and stays up. */
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { Gauge } from "prom-client";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { gatherFamily } from "../../src/metrics/siblings.ts";

test("a process whose metrics cannot be read does not respond, and has no unhandled rejection", async () => {
  const registry = makeRegistry("api");
  new Gauge({
    name: "broken",
    help: "Fails.",
    registers: [registry],
    collect() {
      throw new Error("it can't be read");
    },
  });
  const unhandled: unknown[] = [];
  const record = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", record);
  try {
    const responses: unknown[] = [];
    const child = Object.assign(new EventEmitter(), { send: (message: unknown) => responses.push(message) });
    gatherFamily(registry).adopt("worker", child as unknown as ChildProcess);
    child.emit("message", { metrics: "request", of: "own", number: 1 });
    await new Promise((resolve) => setImmediate(resolve)); // Node reports unhandled rejections before
    expect([responses, unhandled]).toEqual([[], []]);
  } finally {
    process.off("unhandledRejection", record);
  }
});
