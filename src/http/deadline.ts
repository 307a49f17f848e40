/** Whatever the database does, a caller is answered within five seconds. */
const withinMs = 4_700;

/**
 * @param work is told when its time is over (performance.now): what it has not sent to the database by then, it sends no more
 * @param since of what is asked in several steps, when the first was begun (performance.now)
 * @throws Error that counts as an outage when it takes longer.
 */
export function withinDeadline<T>(work: (until: number) => Promise<T>, since = performance.now()): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const until = since + withinMs;
  const timer = setTimeout(() => reject(new DeadlineError()), until - performance.now());
  return Promise.race([work(until), promise]).finally(() => clearTimeout(timer));
}

class DeadlineError extends Error {
  readonly code = "deadline";
}
