/**
 * The metrics of one process. Each names its part of the service (api, worker, console) in a label, so that those of
 * several processes can stand in one text. (docs/observing.md, "Metrics".)
 */
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

export type { Registry } from "prom-client";

/** What a process hands to another: prom-client's own form of its metrics. */
export type Measured = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

export function makeRegistry(part: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ part });
  return registry;
}

/** Event loop, garbage, memory, descriptors, and what is running. Once in a process: it observes until its end. */
export function observeProcess(registry: Registry, version: string): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  new Gauge({
    name: "botstead_build_info",
    help: "1, with the version of Botstead and of Node.",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
}

export type Readings<Label extends string> = Iterable<[labels: Record<Label, string>, value: number]>;

/** A gauge whose values are looked up when somebody asks; what is told no more disappears. */
export function watch<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  read: () => Readings<Label> | Promise<Readings<Label>>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const readings = await read();
      this.reset();
      if (labelNames.length === 0) this.remove(); // a reset one would tell 0
      for (const [labels, value] of readings) this.set(labels, value);
    },
  });
}
