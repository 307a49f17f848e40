/** Limits a receiver's wait to an hour, so that it can delay a delivery but not prevent it. */
const MAX_SECONDS = 3_600;

/** The current form of HTTP dates, and the two obsolete ones (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Parses `Retry-After` into whole seconds from `now`, 0 to 3,600. Null if the header is missing, repeated or malformed.
 *
 * @param now unix milliseconds
 */
export function retryAfterSeconds(header: string | string[] | undefined, now: number = Date.now()): number | null {
  if (typeof header !== "string") return null;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_SECONDS);
  if (!HTTP_DATES.some((form) => form.test(value))) return null;
  const at = Date.parse(value.endsWith(" GMT") ? value : `${value} GMT`); // the oldest form has no zone and means GMT
  return Number.isNaN(at) ? null : Math.min(Math.max(Math.ceil((at - now) / 1000), 0), MAX_SECONDS);
}
