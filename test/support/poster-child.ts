/**
 * A process that only posts, so that its memory can be measured. Run with --expose-gc. Its argument is a PosterSetup,
 * each message has the addresses of one round, and each answer is a Round.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRanges } from "../../src/delivery/address.ts";
import { createResolveName } from "../../src/delivery/dns.ts";
import { createPoster, type Outcome } from "../../src/delivery/post.ts";

export type PosterSetup = { ca: string; timeoutMs: number; servers: string[]; dnsDeadlineMs: number };

export type Round = {
  /** In the order of the addresses. `tookMs` is the time until the caller gets the outcome. */
  outcomes: (Outcome & { tookMs: number })[];
  /** Memory of the process after all requests have ended and garbage was collected. */
  heldBytes: number;
};

const { ca, timeoutMs, servers, dnsDeadlineMs } = JSON.parse(process.argv[2] ?? "{}") as PosterSetup;
const resolveName = createResolveName({ servers, deadlineMs: dnsDeadlineMs });
const poster = createPoster({ allowed: parseRanges("127.0.0.0/8, ::1/128"), extraCa: ca, timeoutMs, resolveName });

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
  // Sockets, timers and DNS queries. All must end by themselves; kept-alive connections end after 4 seconds.
  while (process.getActiveResourcesInfo().length > idle) await sleep(20); // between two questions
  globalThis.gc?.();
  await sleep(20); // finalizers run between two collections
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const round: Round = { outcomes, heldBytes: heapUsed + external };
  process.send?.(round);
});
process.on("disconnect", () => process.exit());
