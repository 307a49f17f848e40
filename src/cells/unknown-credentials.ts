/**
 * Bounds the look-ups of credentials that this process does not know by the rate limit of their address. A look-up asks the
 * directory and all cells, before the call can be counted as refused. (docs/specification/conventions.md#rate-limits)
 */

import { DeadlineError } from "../api/request.ts";
import type { Bucket, RateLimiter } from "../web/rate-limiter.ts";

export type UnknownCredentials = {
  /**
   * Waits while the look-ups in progress of an address could use up its rate limit.
   *
   * @param until the deadline (performance.now)
   * @returns a function to call once the credential is known, and after its refusal is counted. Undefined if the limit is used up
   * @throws DeadlineError
   */
  admit(address: string | undefined, until: number): Promise<(() => void) | undefined>;
};

type Queue = { inProgress: number; waiting: (() => void)[] };

/** Waiting look-ups of an address per request of its limit. Further ones are refused, so that none of them takes memory. */
const maxWaitingPerRequest = 10;

export function makeUnknownCredentials(rateLimiter: RateLimiter): UnknownCredentials {
  const queues = new WeakMap<Bucket, Queue>();

  function enter(bucket: Bucket, queue: Queue): () => void {
    queue.inProgress += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      queue.inProgress -= 1;
      const isFull = bucket.used >= bucket.limit;
      for (const wake of queue.waiting.splice(0, isFull ? queue.waiting.length : 1)) wake();
    };
  }

  return {
    async admit(address, until) {
      for (;;) {
        const bucket = rateLimiter.ofAddress(address); // of the present minute
        const queue = queues.get(bucket) ?? { inProgress: 0, waiting: [] };
        queues.set(bucket, queue);
        if (bucket.used + queue.inProgress < bucket.limit) {
          const leave = enter(bucket, queue);
          if (performance.now() < until) return leave;
          leave();
          throw new DeadlineError();
        }
        if (queue.inProgress === 0 || queue.waiting.length >= bucket.limit * maxWaitingPerRequest) {
          rateLimiter.noteRefusal([bucket], bucket.limit);
          return undefined;
        }
        await new Promise<void>((wake) => queue.waiting.push(wake));
      }
    },
  };
}
