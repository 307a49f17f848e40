/** Callers are answered within 5 seconds, even if the database is not. */
const deadlineMs = 4_700;

/** On the clock of performance.now. */
export const deadlineOf = (since: number): number => since + deadlineMs;

/**
 * @param work receives the deadline (performance.now), after which it must not send statements to the database
 * @param since when the request's time began (performance.now)
 * @throws DeadlineError, which counts as an outage, when the time is over
 */
export function withinDeadline<T>(work: (until: number) => Promise<T>, since = performance.now()): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const until = deadlineOf(since);
  const timer = setTimeout(() => reject(new DeadlineError()), Math.max(0, until - performance.now()));
  return Promise.race([work(until), promise]).finally(() => clearTimeout(timer));
}

/** Counts as an outage. */
export class DeadlineError extends Error {
  readonly code = "deadline";
}
