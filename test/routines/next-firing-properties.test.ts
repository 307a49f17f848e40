/** Properties of nextFiring for random schedules, zones and times. */
import fc from "fast-check";
import { isSchedule } from "../../src/routines/cron.ts";
import { nextFiring } from "../../src/routines/next-firing.ts";

/** A random field: its values and its text. */
function field(min: number, max: number): fc.Arbitrary<{ text: string; values: number[] }> {
  const all = Array.from({ length: max - min + 1 }, (_, index) => index + min);
  const range = fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all)).map(([a, b]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    return { text: `${from}-${to}`, values: all.filter((each) => each >= from && each <= to) };
  });
  const one = fc.constantFrom(...all).map((each) => ({ text: String(each), values: [each] }));
  const step = fc.integer({ min: 2, max: Math.max(2, max >> 1) }).map((by) => ({
    text: `*/${by}`,
    values: all.filter((each) => (each - min) % by === 0),
  }));
  const list = fc.array(fc.oneof(one, range), { minLength: 1, maxLength: 3 }).map((some) => ({
    text: some.map(({ text }) => text).join(","),
    values: some.flatMap(({ values }) => values),
  }));
  return fc.oneof(list, step, fc.constant({ text: "*", values: all }));
}

const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6));
const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];

/** Goes through local time minute by minute until the schedule matches. */
function slowly(parts: { text: string; values: number[] }[], zone: string, after: number, until: number) {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const [minutes, hours, days, months, weekdays] = parts as [
    (typeof parts)[0],
    (typeof parts)[0],
    (typeof parts)[0],
    (typeof parts)[0],
    (typeof parts)[0],
  ];
  for (let at = Math.floor(after / 60_000 + 1) * 60_000; at <= until; at += 60_000) {
    const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const weekday = new Date(Date.UTC(shown.year ?? 0, (shown.month ?? 1) - 1, shown.day)).getUTCDay();
    const [day, inWeek] = [days.values.includes(shown.day ?? 0), weekdays.values.includes(weekday)];
    const isFree = ({ text }: { text: string }) => text === "*" || text === "*/1";
    const isDay = isFree(days) || isFree(weekdays) ? day && inWeek : day || inWeek;
    const isTime = minutes.values.includes(shown.minute ?? -1) && hours.values.includes(shown.hour ?? -1);
    if (isTime && isDay && months.values.includes(shown.month ?? 0)) return at;
  }
  return undefined;
}

test("nextFiring without a clock change returns the first matching local time", () => {
  const oneDay = 86_400_000;
  let met = 0;
  fc.assert(
    fc.property(
      fields.filter(([, , day, , week]) => !day.text.startsWith("*/") && !week.text.startsWith("*/")),
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 27 * 24 * 60 * 60 }),
      fc.constantFrom("2026-01-02T00:00:00Z", "2026-06-02T00:00:00Z"),
      (parts, zone, seconds, month) => {
        const schedule = parts.map(({ text }) => text).join(" ");
        fc.pre(isSchedule(schedule));
        const after = Date.parse(month) + seconds * 1000;
        const expected = slowly(parts, zone, after, after + oneDay);
        const found = nextFiring(schedule, zone, new Date(after))?.getTime();
        if (expected !== undefined) met += 1;
        if (expected !== undefined) expect([schedule, zone, found]).toEqual([schedule, zone, expected]);
        else expect(found ?? Number.POSITIVE_INFINITY).toBeGreaterThan(after + oneDay);
      },
    ),
    { seed: 1_1_2026, numRuns: 250 },
  );
  expect(met).toBeGreaterThan(50);
});

test("nextFiring for any schedule, zone and day is later than the previous firing by at least a minute", () => {
  const days = [
    "2026-03-08T04:00Z",
    "2026-03-29T00:00Z",
    "2026-10-25T00:00Z",
    "2026-11-01T04:00Z",
    "2026-04-04T13:00Z",
  ];
  fc.assert(
    fc.property(fields, fc.constantFrom(...zones), fc.constantFrom(...days), (parts, zone, day) => {
      const schedule = parts.map(({ text }) => text).join(" ");
      fc.pre(isSchedule(schedule));
      let before = Date.parse(day);
      for (let count = 0; count < 30; count += 1) {
        const at = nextFiring(schedule, zone, new Date(before))?.getTime() ?? 0;
        expect(at).toBeGreaterThan(before);
        expect(at % 60_000).toBe(0);
        before = at;
      }
    }),
    { seed: 2_1_2026, numRuns: 100 },
  );
});
