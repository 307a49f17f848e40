/** Ticks of a plot: round values and round UTC times. */
import { clock, day } from "../times.ts";

/** About four round values from 0 to at least the highest. */
export function ticksTo(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10, 0) * power;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => index * step);
}

const minute = 60_000;
const hour = 60 * minute;
const spans = [5, 10, 15, 30].map((each) => each * minute).concat([1, 2, 3, 6, 12, 24, 48].map((each) => each * hour));

/** Round times within the span. */
export function moments(from: number, to: number, maxCount: number): { at: number; label: string }[] {
  const step = spans.find((each) => (to - from) / each <= maxCount) ?? 7 * 24 * hour;
  const found: { at: number; label: string }[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const date = new Date(at);
    found.push({
      at,
      label: step >= 24 * hour || at % (24 * hour) === 0 ? day(date) : clock(date, { seconds: false }),
    });
  }
  return found;
}
