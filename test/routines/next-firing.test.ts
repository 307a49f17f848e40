/** The next firing of a schedule: a table of clock changes, and on other days a comparison with a slow reference. */
import { isSchedule } from "../../src/routines/cron.ts";
import { nextFiring } from "../../src/routines/next-firing.ts";
import { isTimeZone } from "../../src/routines/zone.ts";

/** The next firings after an instant, to the minute. */
function firings(schedule: string, zone: string, after: string, count: number): string[] {
  const found: Date[] = [];
  for (let at: Date | null = new Date(after); at && found.length < count; ) {
    at = nextFiring(schedule, zone, at);
    if (at) found.push(at);
  }
  return found.map((each) => each.toISOString().slice(5, 16));
}

test.each<[story: string, schedule: string, zone: string, after: string, expected: string[]]>([
  [
    "odd days and Mondays: a step restricts the days",
    "0 0 */2 * 1",
    "UTC",
    "2026-11-01T12:00Z",
    ["11-02T00:00", "11-03T00:00", "11-05T00:00", "11-07T00:00", "11-09T00:00"],
  ],
  ["Mondays: a step of 1 restricts nothing", "0 0 */1 * 1", "UTC", "2026-11-01T12:00Z", ["11-02T00:00", "11-09T00:00"]],
  [
    "odd days: a step of 1 restricts nothing",
    "0 0 */2 * */01",
    "UTC",
    "2026-11-01T12:00Z",
    ["11-03T00:00", "11-05T00:00"],
  ],
  ["every weekday", "30 8 * * MON-FRI", "UTC", "2026-11-20T09:00Z", ["11-23T08:30", "11-24T08:30"]],
  ["Sunday by either number", "0 0 * * 0,7", "UTC", "2026-11-20T09:00Z", ["11-22T00:00", "11-29T00:00"]],
  ["either day suffices", "0 0 13 * FRI", "UTC", "2026-10-31T00:00Z", ["11-06T00:00", "11-13T00:00", "11-20T00:00"]],
  ["the 13th, be it a Friday", "0 0 13 * 5", "UTC", "2026-12-11T00:00Z", ["12-13T00:00", "12-18T00:00"]],
  [
    "a day that few months have",
    "0 0 31 * *",
    "UTC",
    "2026-11-20T00:00Z",
    ["12-31T00:00", "01-31T00:00", "03-31T00:00"],
  ],
  [
    "steps within a range",
    "10-50/20 22 * feb *",
    "UTC",
    "2027-02-01T22:10Z",
    ["02-01T22:30", "02-01T22:50", "02-02T22:10"],
  ],
  ["a leap day", "0 12 29 2 *", "UTC", "2027-01-01T00:00Z", ["02-29T12:00"]],
  ["strictly after", "0 12 * * *", "UTC", "2026-11-20T12:00Z", ["11-21T12:00"]],
  ["at its end of a minute", "* * * * *", "UTC", "2026-11-20T12:00:59.999Z", ["11-20T12:01"]],
  ["an offset of quarters", "0 9 * * *", "Asia/Kathmandu", "2026-11-20T00:00Z", ["11-20T03:15"]],

  ["skipped: as clocks are set", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29T01:00", "03-30T00:30"]],
  ["skipped together: once", "0,30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29T01:00", "03-30T00:00"]],
  [
    "skipped and shown: once",
    "30 2,3 * * *",
    "Europe/Berlin",
    "2026-03-28T12:00Z",
    ["03-29T01:00", "03-29T01:30", "03-30T00:30"],
  ],
  ["a skipped midnight", "0 0 * * *", "America/Santiago", "2026-09-05T12:00Z", ["09-06T04:00", "09-07T03:00"]],
  ["shown twice: once", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", ["10-25T00:30", "10-26T01:30"]],
  ["amid the second time", "45 2 * * *", "Europe/Berlin", "2026-10-25T01:10Z", ["10-26T01:45"]],
  ["half an hour twice", "40 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00Z", ["04-04T14:40", "04-05T15:10"]],
  [
    "intervals in spring",
    "*/30 * * * *",
    "America/New_York",
    "2026-03-08T06:10Z",
    ["03-08T06:30", "03-08T07:00", "03-08T07:30"],
  ],
  [
    "intervals in autumn",
    "*/30 * * * *",
    "America/New_York",
    "2026-11-01T05:10Z",
    ["11-01T05:30", "11-01T06:00", "11-01T06:30", "11-01T07:00"],
  ],
  ["as clocks are set back", "0 * * * *", "Europe/Berlin", "2026-10-25T00:30Z", ["10-25T01:00", "10-25T02:00"]],
  ["every second hour, skipped", "30 */2 * * *", "Europe/Berlin", "2026-03-28T23:10Z", ["03-28T23:30", "03-29T02:30"]],
])("nextFiring, %s: %s in %s", (_story, schedule, zone, after, expected) => {
  expect(isSchedule(schedule)).toBe(true);
  expect(firings(schedule, zone, after, expected.length)).toEqual(expected);
});

test.each([
  "@daily",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "0 24 * * *",
  "0 0 0 * *",
  "0 0 32 * *",
  "0 0 * 13 *",
  "0 0 * * 8",
  "*/0 * * * *",
  "0 0 L * *",
  "0 0 15W * *",
  "0 0 * * MON#2",
  "0 0 ? * *",
  "5/15 * * * *",
  "10-5 * * * *",
  "0 0 * foo *",
  "0  0 * * *",
  " 0 0 * * *",
  "0,,1 0 * * *",
  "٣ 0 * * *",
])("nextFiring refuses the schedule %p", (schedule) => {
  expect(isSchedule(schedule)).toBe(false);
});

test("nextFiring of a day that no month has is undefined, unless a weekday matches", () => {
  for (const never of ["0 0 30 2 *", "0 0 30,31 FEB *", "0 0 31 2,4,6,9,11 *", "0 0 31 2-6/2 *", "0 0 31 sep-sep *"]) {
    expect([never, isSchedule(never)]).toEqual([never, false]);
  }
  for (const some of [
    "0 0 29 2 *",
    "0 0 30 2 MON",
    "0 0 31 feb-mar *",
    "0 0 31 */2 *",
    "0 0 */31 2 *",
    "0 0 5,31 2 *",
  ]) {
    expect([some, isSchedule(some)]).toEqual([some, true]);
    expect(nextFiring(some, "UTC", new Date("2026-01-01T00:00Z"))).not.toBeNull();
  }
});

test("isTimeZone accepts names of the IANA database, and no offsets", () => {
  for (const name of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"]) {
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  }
  for (const name of [
    "",
    "+02:00",
    "-0500",
    "Mars/Olympus",
    "Europe",
    "berlin",
    "Europe/Berlin\n",
    "Asia/Kol\u212aata",
  ]) {
    expect([name, isTimeZone(name)]).toEqual([name, false]);
  }
});

test("nextFiring shares one cache entry for a zone in upper and lower case", () => {
  const { DateTimeFormat } = Intl;
  let made = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, given) {
      made += 1;
      return Reflect.construct(target, given);
    },
  });
  try {
    const letters = [..."pacific/honolulu"];
    for (let spelling = 0; spelling < 1_000; spelling += 1) {
      const name = letters.map((letter, at) => (spelling & (1 << at) ? letter.toUpperCase() : letter)).join("");
      expect([name, isTimeZone(name)]).toEqual([name, true]);
    }
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
  }
  expect(made).toBeLessThanOrEqual(1);
});
