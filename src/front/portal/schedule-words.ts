/**
 * A schedule in words. Only shapes whose words say all times of src/routines/cron.ts, and no others, have words. For example,
 * a schedule with days of the month and weekdays fires on both, which the words of cronstrue do not say.
 */
import { isSchedule } from "../../routines/cron.ts";

const number = "(?:0|[1-9]\\d?)";
const weekday = "(?:[0-6]|sun|mon|tue|wed|thu|fri|sat)";
const month = "(?:[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const one = new RegExp(`^${number}$`);
const list = new RegExp(`^${number}(?:,${number})*$`);
const range = new RegExp(`^${number}-${number}$`);
/** Other steps are shorter at the end of an hour or day. */
const minuteStep = /^\*\/(?:[23456]|1[025]|20|30)$/;
const hourStep = /^\*\/(?:[23468]|12)$/;
const lists = (unit: string) => new RegExp(`^${unit}(?:-${unit})?(?:,${unit}(?:-${unit})?)*$`, "i");
const [days, months, weekdays] = [lists(number), lists(month), lists(weekday)];

function hasExactWords(schedule: string): boolean {
  const [minute = "", hour = "", dayOfMonth = "", monthOfYear = "", dayOfWeek = ""] = schedule.split(" ");
  if (dayOfMonth !== "*" && dayOfWeek !== "*") return false;
  if (dayOfMonth !== "*" && !days.test(dayOfMonth)) return false;
  if (monthOfYear !== "*" && !months.test(monthOfYear)) return false;
  if (dayOfWeek !== "*" && dayOfWeek !== "7" && !weekdays.test(dayOfWeek)) return false;
  if (one.test(minute)) return hour === "*" || list.test(hour) || range.test(hour) || hourStep.test(hour);
  if (minute === "*" || minuteStep.test(minute)) return hour === "*" || one.test(hour) || range.test(hour);
  return list.test(minute) && (hour === "*" || range.test(hour));
}

/**
 * For example "At 09:00, Monday through Friday"; undefined without exact words, or if their program does not load.
 *
 * @param hour12 whether the reader's clock has 12 hours
 */
export async function scheduleWords(schedule: string, hour12: boolean): Promise<string | undefined> {
  if (!isSchedule(schedule) || !hasExactWords(schedule)) return undefined;
  try {
    const { default: cronstrue } = await import("cronstrue");
    return cronstrue.toString(schedule, { use24HourTimeFormat: !hour12 });
  } catch {
    return undefined;
  }
}
