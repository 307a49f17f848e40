/**
 * The metrics of one process. The label `part` names the process (api, worker, console), so that one text can contain the
 * metrics of several. (docs/observing.md#metrics)
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

export type { Registry } from "prom-client";

/** Metrics as processes exchange them. */
export type Measured = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

export function makeRegistry(part: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ part });
  return registry;
}

/** Node's default metrics and the version. Call it once per process: it cannot be stopped. */
export function observeProcess(registry: Registry, version: string): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  new Gauge({
    name: "botstead_build_info",
    help: "Always 1, with the versions of Botstead and Node as labels.",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
}

/** A label that is left out does not appear. */
type Readings<Label extends string> = Iterable<[labels: Partial<Record<Label, string>>, value: number]>;
type Source<Label extends string> = () => Readings<Label> | Promise<Readings<Label>>;

/** A gauge whose values are read at each scrape. Label sets that are no longer returned disappear. */
export function watch<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  read: Source<Label>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      for (const [labels, value] of await replaced(this, labelNames, read)) this.set(labels, value);
    },
  });
}

/** As `watch`, for values that only increase and are counted elsewhere. */
export function count<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  read: Source<Label>,
): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      for (const [labels, value] of await replaced(this, labelNames, read)) this.inc(labels, value);
    },
  });
}

/** The new readings, after the removal of the former ones. */
async function replaced<Label extends string>(
  metric: { reset(): void; remove(): void },
  labelNames: Label[],
  read: Source<Label>,
): Promise<Readings<Label>> {
  const readings = await read();
  metric.reset();
  if (labelNames.length === 0) metric.remove(); // a reset metric without labels would report 0
  return readings;
}
