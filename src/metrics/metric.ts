/** Metrics as data: a name, a help text and the samples that follow from one measurement. */
import type { Read } from "./readings.ts";
import { count, type Registry, watch } from "./registry.ts";

export type Named = Record<string, number>;
type Sample = [labels: Record<string, string>, value: number];

/** A name that ends in `_total` is a counter, any other a gauge. */
export type Metric<Measures> = [
  name: string,
  help: string,
  labels: string[],
  samples: (measures: Measures) => Sample[],
];

/** No sample if there is no value. */
export const one = (value: number | null | undefined): Sample[] =>
  value === null || value === undefined ? [] : [[{}, value]];

/** One sample for each name that has a value. */
export const each = (label: string, named: Record<string, number | null> | null): Sample[] =>
  Object.entries(named ?? {}).flatMap(([name, value]): Sample[] =>
    value === null ? [] : [[{ [label]: name }, value]],
  );

/** @param read resolves to undefined if there is no measurement; then the metrics have no samples */
export function watchAll<Measures>(registry: Registry, metrics: Metric<Measures>[], read: Read<Measures>): void {
  for (const [name, help, labels, samples] of metrics) {
    const add = name.endsWith("_total") ? count : watch;
    add(registry, name, help, labels, async () => {
      const measures = await read();
      return measures ? samples(measures) : [];
    });
  }
}
