/**
 * A process that does nothing but post, so that what it holds can be weighed. Run with --expose-gc; its argument is a
 * PosterSetup, each message the addresses of one round, each answer what came of it.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRanges } from "../../src/delivery/address.ts";
import { createAsk } from "../../src/delivery/dns.ts";
import { createPoster, type Outcome } from "../../src/delivery/post.ts";

export type PosterSetup = { ca: string; timeoutMs: number; servers: string[]; dnsDeadlineMs: number };

export type Round = {
  /** In the order of the addresses; `tookMs` as whoever waits for it sees it. */
  outcomes: (Outcome & { tookMs: number })[];
  /** Of the process, when nothing was under way any more and garbage was collected. */
  heldBytes: number;
};

const { ca, timeoutMs, servers, dnsDeadlineMs } = JSON.parse(process.argv[2] ?? "{}") as PosterSetup;
const ask = createAsk({ servers, deadlineMs: dnsDeadlineMs });
const poster = createPoster({ allowed: parseRanges("127.0.0.0/8, ::1/128"), extraCa: ca, timeoutMs, ask });

let idle: number | undefined;

process.on("message", async (urls: string[]) => {
  idle ??= process.getActiveResourcesInfo().length;
  const outcomes = await Promise.all(
    urls.map(async (url) => {
      const startedAt = performance.now();
      const outcome = await poster.post({ url, headers: {}, body: "{}" });
      return { ...outcome, tookMs: performance.now() - startedAt };
    }),
  );
  // Sockets, timers, questions to name servers: all has to go by itself, the connections that are kept after 4 seconds.
  while (process.getActiveResourcesInfo().length > idle) await sleep(20);
  globalThis.gc?.();
  await sleep(20);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const round: Round = { outcomes, heldBytes: heapUsed + external };
  process.send?.(round);
});
process.on("disconnect", () => process.exit());
