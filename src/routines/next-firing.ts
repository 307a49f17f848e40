/**
 * The next firing of a schedule, across clock changes:
 *
 * - With fixed hours each local time fires once: a repeated time at its first occurrence, a skipped time at the moment
 *   of the change. So a daily routine fires once every day.
 * - Otherwise elapsed time counts: a routine of every 15 minutes fires in both repeated hours, and not in a skipped
 *   one.
 *
 * Cron does the same since 1993 (Vixie). docs/decisions/0020-routines-and-hooks.md compares the libraries.
 */
import { hasFixedHours, inLocalTime } from "./cron.ts";
import { changeWithin, offsetAt } from "./zone.ts";

const dayMs = 86_400_000;

/**
 * The first firing after an instant; null if there is none.
 *
 * @throws Error if the libraries do not accept the schedule or the time zone
 */
export function nextFiring(schedule: string, zone: string, after: Date): Date | null {
  const cron = inLocalTime(schedule);
  const next = (local: number): number | undefined => cron.nextRun(new Date(local))?.getTime();
  const found = hasFixedHours(schedule) ? byLocalTime(next, zone, +after) : byElapsedTime(next, zone, +after);
  return found === undefined ? null : new Date(found);
}

/** Local times are in ms, as if they were UTC. */
type Next = (local: number) => number | undefined;

function byLocalTime(next: Next, zone: string, after: number): number | undefined {
  let local = next(after + offsetAt(zone, after));
  while (local !== undefined) {
    const instant = firstOccurrence(zone, local);
    if (instant > after) return instant;
    local = next(local); // the second occurrence of a time that has fired
  }
  return undefined;
}

/** The first instant with this local time; for a skipped time the instant of the clock change. */
function firstOccurrence(zone: string, local: number): number {
  const [earlier, later] = [local - offsetAt(zone, local - dayMs), local - offsetAt(zone, local + dayMs)];
  const shown = [earlier, later].filter((instant) => instant + offsetAt(zone, instant) === local);
  return shown.length > 0 ? Math.min(...shown) : (changeWithin(zone, later - 1, earlier) ?? earlier);
}

/** Goes from one clock change to the next; in between, local time and elapsed time advance equally. */
function byElapsedTime(next: Next, zone: string, after: number): number | undefined {
  for (let from = after; ; ) {
    const offset = offsetAt(zone, from);
    const local = next(from + offset);
    if (local === undefined) return undefined;
    const change = changeWithin(zone, from, local - offset);
    if (change === undefined) return local - offset;
    const shown = change + offsetAt(zone, change);
    if (next(shown - 1) === shown) return change;
    from = change;
  }
}
