/** Whatever the database does, a caller is answered within five seconds. */
const withinMs = 4_700;

/**
 * @param since of what is asked in several steps, when the first was begun (performance.now)
 * @throws Error that counts as an outage when it takes longer.
 */
export function withinDeadline<T>(work: Promise<T>, since = performance.now()): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DeadlineError()), withinMs - (performance.now() - since));
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

class DeadlineError extends Error {
  readonly code = "deadline";
}
