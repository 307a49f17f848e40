/** How uPlot draws a chart. The last interval is not over yet: its line is dashed, so that it is not read as a fall. */
import type uPlot from "uplot";
import type { Tone } from "./badge.tsx";
import { partTexts } from "./texts.ts";
import { localTime } from "./time.tsx";

export type Series = { label: string; values: (number | null)[]; tone?: Tone };
type Data = { times: number[]; series: Series[] };

/** px */
export const chartHeight = 200;
const lineWidth = 1.5;
/** Custom properties of the style sheet, so that the colours follow the scheme. */
const colours = ["--line-1", "--line-2", "--line-3", "--line-4"];
/** A line of a state has the colour of the state's badge. */
const toneColours: Record<Tone, string> = {
  good: "--good",
  bad: "--bad",
  warn: "--warn",
  busy: "--busy",
  neutral: "--quiet",
};

function isRunning(times: number[]): boolean {
  const [before, last] = times.slice(-2);
  return before !== undefined && last !== undefined && last + (last - before) > Date.now() / 1_000;
}

/** The values of the intervals that are over. */
export function ended({ times, series }: Data): uPlot.AlignedData {
  const running = isRunning(times);
  return [times, ...series.map(({ values }) => (running ? [...values.slice(0, -1), null] : values))];
}

/** The pixel of a value. undefined: there is no value. */
const placeOf = (
  plot: uPlot,
  time: number | undefined,
  value: number | null | undefined,
): [number, number] | undefined =>
  time === undefined || value == null ? undefined : [plot.valToPos(time, "x", true), plot.valToPos(value, "y", true)];

function drawRunning(plot: uPlot, { times, series }: Data, lineOf: (index: number) => string): void {
  if (!isRunning(times)) return;
  const { ctx } = plot;
  ctx.save();
  ctx.lineWidth = lineWidth * devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const [index, { values }] of series.entries()) {
    const [from, to] = [times.length - 2, times.length - 1].map((at) => placeOf(plot, times[at], values[at]));
    if (!to) continue;
    ctx.strokeStyle = lineOf(index);
    ctx.fillStyle = lineOf(index);
    ctx.beginPath();
    if (from) {
      ctx.moveTo(...from);
      ctx.lineTo(...to);
      ctx.stroke();
    } else {
      ctx.arc(...to, 2 * devicePixelRatio, 0, 2 * Math.PI); // nothing to draw a line from
      ctx.fill();
    }
  }
  ctx.restore();
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** The day at midnight, and the time otherwise. */
function tickText(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return (at.getHours() + at.getMinutes() === 0 ? day : clock).format(at);
}

/** px, about half the width of a tick's text, so that the last one is not cut. */
const right = 36;

/** The width of an axis in px. @param texts of its ticks; null before the first are known */
const widthOf = (texts: string[] | null) => 14 + 7 * Math.max(4, ...(texts ?? []).map(({ length }) => length));

/** Whole numbers. uPlot needs the steps that it may choose from. */
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** @param shown the data at each drawing. @param unit empty for counts */
export function optionsOf(element: Element, shown: { current: Data }, unit: string): uPlot.Options {
  const { series } = shown.current;
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const suffix = unit && ` ${unit}`;
  const lineOf = (index: number) => {
    const tone = series[index]?.tone;
    return colour(tone ? toneColours[tone] : (colours[index % colours.length] ?? ""));
  };
  const valueAt = (index: number, at: number | null) =>
    at === null ? null : (shown.current.series[index]?.values[at] ?? null);
  return {
    width: element.clientWidth || 300,
    height: chartHeight,
    padding: [8, right, 0, 0],
    legend: { markers: { width: 0, fill: (_, index) => lineOf(index - 1) } },
    series: [
      {
        label: partTexts.time.label,
        value: (_, value, __, at) => (at === null ? "" : localTime(new Date(value * 1_000).toISOString())),
      },
      ...series.map(({ label }, index) => ({
        label,
        stroke: lineOf(index),
        width: lineWidth,
        points: unit ? {} : { show: false }, // only a line with gaps has single points
        value: (_: uPlot, __: unknown, ___: number, at: number | null) =>
          at === null
            ? ""
            : (valueAt(index, at)?.toLocaleString() ?? "–") + (valueAt(index, at) === null ? "" : suffix),
      })),
    ],
    axes: [
      { ...axis, space: 80, size: 28, values: (_, ticks) => ticks.map(tickText) }, // px
      {
        ...axis,
        size: (_, texts) => widthOf(texts),
        ...(unit ? {} : { incrs: wholeSteps }),
        values: (_, ticks) => ticks.map((tick) => tick.toLocaleString() + suffix),
      },
    ],
    scales: {
      y: { range: () => [0, Math.max(1, ...shown.current.series.flatMap(({ values }) => values.map(Number))) * 1.05] },
    },
    hooks: { draw: [(plot) => drawRunning(plot, shown.current, lineOf)] },
  };
}
