/** Callers are answered within RESPONSE_TIMEOUT_SECONDS, even if the database is not. */

/** The deadline of a request: it began at `since` (performance.now) and ends `deadlineMs` later. */
export type Deadline = { since: number; deadlineMs: number };

/** @param responseMs what a caller waits at most. The rest is for the way there and back */
export const deadlineFor = (responseMs: number): number => responseMs * 0.94;

/** On the clock of performance.now. */
export const deadlineOf = ({ since, deadlineMs }: Deadline): number => since + deadlineMs;

/**
 * @param work receives the deadline (performance.now), after which it must not send statements to the database
 * @throws DeadlineError, which counts as an outage, when the time is over
 */
export function withinDeadline<T>(deadline: Deadline, work: (until: number) => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const until = deadlineOf(deadline);
  const timer = setTimeout(() => reject(new DeadlineError()), Math.max(0, until - performance.now()));
  return Promise.race([work(until), promise]).finally(() => clearTimeout(timer));
}

/** Counts as an outage. */
export class DeadlineError extends Error {
  readonly code = "deadline";
}
