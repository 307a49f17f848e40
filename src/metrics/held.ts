/** What a process of the API holds: allowances of callers, requests that are held open, and the connection that listens. */
import { Counter } from "prom-client";
import { type Registry, watch } from "./registry.ts";

export type Held = {
  /** Buckets in use, and how often one was found full, by its name. */
  buckets: { held(): Record<string, number>; refused(): Record<string, number> };
  /** Requests that wait or are streamed to. */
  places: { taken(): number };
  /** What is kept for peers that are slow, by what it is. */
  backlogs: Record<string, { held(): number; cut(): number }>;
  /** Undefined until somebody listens. */
  listening(): boolean | undefined;
};

export function watchHeld(registry: Registry, { buckets, places, backlogs, listening }: Held): void {
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
    "botstead_backlog_bytes",
    "Bytes kept for slow peers: bodies that arrive, answers not taken.",
    ["of"],
    () => Object.entries(backlogs).map(([of, backlog]) => [{ of }, backlog.held()]),
  );
  new Counter({
    name: "botstead_backlog_cut_off_total",
    help: "Connections cut off because all that was kept for slow peers was too much, and theirs had been kept the longest.",
    labelNames: ["of"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [of, backlog] of Object.entries(backlogs)) this.inc({ of }, backlog.cut());
    },
  });
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
