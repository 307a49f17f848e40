/** What a process of the API holds: allowances of callers, requests that are held open, and the connection that listens. */
import { Counter } from "prom-client";
import { type Registry, watch } from "./registry.ts";

export type Held = {
  /** Buckets in use, and how often one was found full, by its name. */
  buckets: { held(): Record<string, number>; refused(): Record<string, number> };
  /** Requests that wait or are streamed to. */
  places: { taken(): number };
  /** Undefined until somebody listens. */
  listening(): boolean | undefined;
};

export function watchHeld(registry: Registry, { buckets, places, listening }: Held): void {
  watch(registry, "botstead_buckets", "Allowances in use within this minute, by kind.", ["bucket"], () =>
    Object.entries(buckets.held()).map(([bucket, count]) => [{ bucket }, count]),
  );
  new Counter({
    name: "botstead_bucket_refusals_total",
    help: "Requests refused because an allowance was used up, by its kind.",
    labelNames: ["bucket"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [bucket, count] of Object.entries(buckets.refused())) this.inc({ bucket }, count);
    },
  });
  watch(registry, "botstead_held_requests", "Requests held open: those that wait for a run or watch one.", [], () => [
    [{}, places.taken()],
  ]);
  watch(
    registry,
    "botstead_listening",
    "Whether the connection that hears of runs is there, once it is needed.",
    [],
    () => {
      const is = listening();
      return is === undefined ? [] : [[{}, is ? 1 : 0]];
    },
  );
}
