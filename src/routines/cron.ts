/**
 * The five fields of cron as we take them: numbers, names, `*`, ranges, lists and steps, and none of the extensions, which
 * mean something else to each program that has them. When they come is croner's to say; two things are asked here before,
 * because it would look for them through centuries.
 */
import { Cron } from "croner";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const part = /^(?:\*|(?:\d{1,2}|[a-z]{3})(?:-(?:\d{1,2}|[a-z]{3}))?)(?:\/\d{1,2})?$/i;

/** Whether this is a schedule that comes at some time. A day that no month has, as 30 February, never does. */
export function isSchedule(text: string): boolean {
  const fields = text.split(" ");
  if (fields.length !== 5 || !fields.every((field) => field.split(",").every((each) => part.test(each)))) return false;
  try {
    onWallClock(text);
  } catch {
    return false;
  }
  const [, , days = "", monthsNamed = "", weekdays] = fields;
  if (days === "*" || weekdays !== "*") return true;
  const earliest = Math.min(...days.split(",").map((each) => Number.parseInt(each, 10) || 1));
  return monthsNamed.split(",").some((each) => monthsOf(each).some((month) => earliest <= (longest[month - 1] ?? 0)));
}

/** Of one part of the field of months. */
function monthsOf(each: string): number[] {
  const [range = "", step = "1"] = each.split("/");
  const [from = 1, to = from] = range === "*" ? [1, 12] : range.split("-").map(monthNumber);
  return Array.from({ length: 12 }, (_, index) => index + 1).filter(
    (month) => month >= from && month <= to && (month - from) % Number(step) === 0,
  );
}

function monthNumber(text: string): number {
  return /^\d/.test(text) ? Number(text) : months.indexOf(text.toLowerCase()) + 1;
}

/** A clock that knows no zones and is never set: its times are written as if they were UTC. @throws Error of croner */
export function onWallClock(schedule: string): Cron {
  return new Cron(schedule, { mode: "5-part", timezone: "UTC", paused: true });
}

/** Whether the hours are named, as in `30 2 * * *`; otherwise it comes at intervals, as every quarter of an hour. */
export function namesHours(schedule: string): boolean {
  return !schedule.split(" ")[1]?.startsWith("*");
}
