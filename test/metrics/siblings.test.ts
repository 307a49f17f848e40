/** Processes tell each other their metrics: one whose figures can't be read is silent, and lives on. */
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { Gauge } from "prom-client";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { gatherFamily } from "../../src/metrics/siblings.ts";

test("a figure that can't be read leaves a question without an answer, and the process alive", async () => {
  const registry = makeRegistry("api");
  new Gauge({
    name: "broken",
    help: "Fails.",
    registers: [registry],
    collect() {
      throw new Error("it can't be read");
    },
  });
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => void unheard.push(reason);
  process.on("unhandledRejection", hear);
  try {
    const told: unknown[] = [];
    const child = Object.assign(new EventEmitter(), { send: (message: unknown) => told.push(message) });
    gatherFamily(registry).adopt("worker", child as unknown as ChildProcess);
    child.emit("message", { metrics: "ask", of: "you", number: 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([told, unheard]).toEqual([[], []]);
  } finally {
    process.off("unhandledRejection", hear);
  }
});
