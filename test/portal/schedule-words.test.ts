/** Schedules in words: exact, or none. Each list is checked against the dialect of src/routines/cron.ts. */
import { scheduleWords } from "../../src/front/portal/schedule-words.ts";
import { isSchedule } from "../../src/routines/cron.ts";

const words: Record<string, string> = {
  "* * * * *": "Every minute",
  "*/15 * * * *": "Every 15 minutes",
  "0 * * * *": "Every hour",
  "15 */6 * * *": "At 15 minutes past the hour, every 6 hours",
  "0 9-17 * * *": "Every hour, between 09:00 and 17:00",
  "*/15 9-17 * * *": "Every 15 minutes, between 09:00 and 17:59",
  "*/15 9 * * *": "Every 15 minutes, between 09:00 and 09:59",
  "0,30 9-17 * * *": "At 0 and 30 minutes past the hour, between 09:00 and 17:59",
  "5 9,17 * * *": "At 09:05 and 17:05",
  "30 8 * * MON-FRI": "At 08:30, Monday through Friday",
  "30 8 * * 1-5": "At 08:30, Monday through Friday",
  "0 9 * * 7": "At 09:00, only on Sunday",
  "0 9 * * 0": "At 09:00, only on Sunday",
  "0 9 * * sat,SUN": "At 09:00, only on Saturday and Sunday",
  "0 9 1,15 * *": "At 09:00, on day 1 and 15 of the month",
  "0 9 1-7 * *": "At 09:00, between day 1 and 7 of the month",
  "0 0 29 2 *": "At 00:00, on day 29 of the month, only in February",
  "0 9 * JAN-MAR MON": "At 09:00, only on Monday, January through March",
};

/** Accepted, and without words that say the times. */
const withoutWords = [
  "0 9 1 * MON", // on both
  "0 9 */2 * MON",
  "0 0 */1 * MON",
  "*/7 * * * *", // 4 minutes before the full hour
  "0 */5 * * *",
  "0 9 */2 * *",
  "0 9 1 */2 *",
  "0 9 * * */2",
  "0-30/10 * * * *",
  "0-10 * * * *",
  "*/15 9,17 * * *", // not "at 09:00 and 17:00"
  "0,30 9 * * *",
  "*/15 */6 * * *",
  "0 9 * * 5-7",
  "0 9-17/2 * * *",
  "09 09 * * *",
];

test("scheduleWords words each schedule exactly", async () => {
  const shown = Object.fromEntries(
    await Promise.all(Object.keys(words).map(async (schedule) => [schedule, await scheduleWords(schedule, false)])),
  );
  expect(shown).toEqual(words);
  expect(Object.keys(words).filter((schedule) => !isSchedule(schedule))).toEqual([]);
});

test("scheduleWords follows a clock of 12 hours", async () => {
  expect(await scheduleWords("30 18 * * MON-FRI", true)).toBe("At 06:30 PM, Monday through Friday");
});

test("scheduleWords has no words for an accepted schedule that they would not describe, and for a refused one", async () => {
  expect(withoutWords.filter((schedule) => !isSchedule(schedule))).toEqual([]);
  for (const schedule of [...withoutWords, "0 0 30 2 *", "0 24 * * *", "@daily", "0 9 * *", ""]) {
    expect([schedule, await scheduleWords(schedule, false)]).toEqual([schedule, undefined]);
  }
});
