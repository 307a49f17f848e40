/** Repeats calls of a long work that has more parts than the rate limit lets a person send or read in a minute. */
import { ApiError } from "../parts/api.ts";

const waitMs = 2_000;
/** A request is possible after a minute. What is refused longer has another cause. */
const maxWaitMs = 120_000;
/** In progress: the same request, whose connection was lost. */
const passing = ["rate_limited", "idempotency_in_progress"];

/** @param onWait called before each wait. @throws ApiError a refusal for another reason, or the last one after two minutes */
export async function withinLimit<T>(call: () => Promise<T>, signal: AbortSignal, onWait = () => {}): Promise<T> {
  for (const until = Date.now() + maxWaitMs; ; await pause(waitMs, signal)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || !passing.includes(error.code) || Date.now() > until) throw error;
      onWait();
    }
  }
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((over) => setTimeout(over, ms));
  signal.throwIfAborted();
}
