/**
 * The supported cron syntax: five fields with numbers, names, `*`, ranges, lists and steps, without extensions, whose
 * meaning differs between programs. croner computes the times. Two checks come before it, because it would search
 * through centuries.
 */
import { Cron } from "croner";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const part = /^(?:\*|(?:\d{1,2}|[a-z]{3})(?:-(?:\d{1,2}|[a-z]{3}))?)(?:\/\d{1,2})?$/i;

/** Whether this is a schedule with at least one firing. 30 February, for example, never comes. */
export function isSchedule(text: string): boolean {
  const fields = text.split(" ");
  if (fields.length !== 5 || !fields.every((field) => field.split(",").every((each) => part.test(each)))) return false;
  try {
    inLocalTime(text);
  } catch {
    return false;
  }
  const [, , days = "", monthsNamed = "", weekdays] = withoutUnitSteps(text).split(" ");
  if (days === "*" || weekdays !== "*") return true;
  const earliest = Math.min(...days.split(",").map((each) => Number.parseInt(each, 10) || 1));
  return monthsNamed.split(",").some((each) => monthsOf(each).some((month) => earliest <= (longest[month - 1] ?? 0)));
}

/** The months of one part of the month field. */
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

/** The schedule in local time, written as if it were UTC. @throws Error of croner */
export function inLocalTime(schedule: string): Cron {
  return new Cron(withoutUnitSteps(schedule), { mode: "5-part", timezone: "UTC", paused: true });
}

// Replaces the step `*/1` by `*`, because it restricts nothing. croner would count the day field as restricted, so that
// `0 0 */1 * MON` would fire daily. Other steps restrict, as in Kubernetes: `0 0 */2 * MON` fires on odd days and on
// Mondays. Vixie's cron would fire on odd Mondays only.
const withoutUnitSteps = (schedule: string): string => schedule.replaceAll(/(?<![^ ,])\*\/0?1(?![^ ,])/g, "*");

/** Whether the hours are fixed, as in `30 2 * * *`; otherwise the schedule repeats at intervals. */
export function hasFixedHours(schedule: string): boolean {
  return !schedule.split(" ")[1]?.startsWith("*");
}
