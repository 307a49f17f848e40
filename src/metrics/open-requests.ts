/** Metrics of an API process: rate limits, open requests, memory for slow peers, and the listening connection. */
import { ofCell } from "./pools.ts";
import { count, type Registry, watch } from "./registry.ts";

export type OpenRequestSources = {
  rateLimiter: { inUse(): Record<string, number>; refused(): Record<string, number> };
  /** Slots of requests that wait for a run or stream its events. */
  slots: { used(): number };
  /** Memory for slow peers, by kind. */
  backlogs: Record<string, { bytes(): number; closed(): number }>;
  /** By cell, empty unless the process serves several. Undefined before the first subscription. */
  listening(): { cell: string; isListening: boolean | undefined }[];
};

export function watchOpenRequests(
  registry: Registry,
  { rateLimiter, slots, backlogs, listening }: OpenRequestSources,
): void {
  watch(registry, "botstead_rate_limit_buckets", "Rate limit buckets in use in this minute, by kind.", ["bucket"], () =>
    Object.entries(rateLimiter.inUse()).map(([bucket, count]) => [{ bucket }, count]),
  );
  count(
    registry,
    "botstead_rate_limit_refusals_total",
    "Requests refused because a rate limit was reached, by kind of bucket.",
    ["bucket"],
    () => Object.entries(rateLimiter.refused()).map(([bucket, refused]) => [{ bucket }, refused]),
  );
  watch(registry, "botstead_open_requests", "Open requests: they wait for a run or stream its events.", [], () => [
    [{}, slots.used()],
  ]);
  watch(
    registry,
    "botstead_backlog_bytes",
    "Bytes in memory for slow peers: arriving bodies, and answers not sent yet.",
    ["of"],
    () => Object.entries(backlogs).map(([of, backlog]) => [{ of }, backlog.bytes()]),
  );
  count(
    registry,
    "botstead_backlog_cut_off_total",
    "Connections closed because slow peers used too much memory; the oldest are closed first.",
    ["of"],
    () => Object.entries(backlogs).map(([of, backlog]) => [{ of }, backlog.closed()]),
  );
  watch(
    registry,
    "botstead_listening",
    "1 if the connection for notifications of runs is up; missing while it is not used.",
    ["cell"],
    function* () {
      for (const { cell, isListening } of listening()) {
        if (isListening !== undefined) yield [ofCell(cell), isListening ? 1 : 0];
      }
    },
  );
}
