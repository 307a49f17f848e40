/** A receiver that asks for more patience than a day gets a day. It can't keep a delivery from ever being tried again. */
const MOST_SECONDS = 86_400;

/** The form of HTTP dates in use, and the two that a recipient has to understand as well (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * What a receiver asks for by `Retry-After`: seconds from `now`, at least 0 and at most a day, as a whole number. Null
 * when the header is missing, stands there more than once, or is neither a number of seconds nor an HTTP date.
 *
 * @param now unix milliseconds
 */
export function retryAfterSeconds(header: string | string[] | undefined, now: number = Date.now()): number | null {
  if (typeof header !== "string") return null;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Math.min(Number(value), MOST_SECONDS);
  if (!HTTP_DATES.some((form) => form.test(value))) return null;
  const at = Date.parse(value.endsWith(" GMT") ? value : `${value} GMT`); // the oldest form means GMT without saying so
  return Number.isNaN(at) ? null : Math.min(Math.max(Math.ceil((at - now) / 1000), 0), MOST_SECONDS);
}
