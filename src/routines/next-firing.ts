/**
 * When a schedule comes next. A calendar on the wall says so, and clocks on the wall are set forwards and back:
 *
 * - Where hours are named, each time that the wall shows counts once: the first time where it shows it twice, and where
 *   it is skipped, the moment at which the clocks are set forwards. A daily routine so fires once on every day.
 * - Otherwise it goes by the time that passes, as a routine of every quarter of an hour: in the hour that comes twice it
 *   fires in both, in the hour that is skipped not at all.
 *
 * This is what cron does (Vixie's, since 1993). The libraries for it know the calendar; of what they do when clocks are
 * set, see docs/decisions.md, "Routines and hooks".
 */
import { namesHours, onWallClock } from "./cron.ts";
import { changeWithin, offsetAt } from "./zone.ts";

const dayMs = 86_400_000;

/**
 * The first firing after an instant; null when there is none.
 *
 * @throws Error when this is no schedule, or no time zone, to the libraries of today
 */
export function nextFiring(schedule: string, zone: string, after: Date): Date | null {
  const wall = onWallClock(schedule);
  const next = (from: number): number | undefined => wall.nextRun(new Date(from))?.getTime();
  const found = namesHours(schedule) ? byTheWall(next, zone, +after) : byTheTime(next, zone, +after);
  return found === undefined ? null : new Date(found);
}

type Next = (wall: number) => number | undefined;

function byTheWall(next: Next, zone: string, after: number): number | undefined {
  let wall = next(after + offsetAt(zone, after));
  while (wall !== undefined) {
    const instant = firstShown(zone, wall);
    if (instant > after) return instant;
    wall = next(wall); // shown for the second time, and counted when it was shown for the first
  }
  return undefined;
}

/** The first instant at which clocks of the zone show this; the one at which they are set past it when none do. */
function firstShown(zone: string, wall: number): number {
  const [earlier, later] = [wall - offsetAt(zone, wall - dayMs), wall - offsetAt(zone, wall + dayMs)];
  const shown = [earlier, later].filter((instant) => instant + offsetAt(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : (changeWithin(zone, later - 1, earlier) ?? earlier);
}

/** From one setting of the clocks to the next: in between, the wall and the time go alike. */
function byTheTime(next: Next, zone: string, after: number): number | undefined {
  for (let from = after; ; ) {
    const offset = offsetAt(zone, from);
    const wall = next(from + offset);
    if (wall === undefined) return undefined;
    const change = changeWithin(zone, from, wall - offset);
    if (change === undefined) return wall - offset;
    const shown = change + offsetAt(zone, change);
    if (next(shown - 1) === shown) return change;
    from = change;
  }
}
