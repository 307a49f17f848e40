/** A line chart by uPlot, with a table of the same values for screen readers and printing. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { partTexts } from "./texts.ts";
import { localTime } from "./time.tsx";

export type Series = { label: string; values: (number | null)[] };

export type ChartProps = {
  title: string;
  /** In seconds since 1970, ascending. */
  times: number[];
  series: Series[];
  /** Behind each value, for example "ms". */
  unit?: string;
};

const height = 200;
/** Custom properties of the style sheet, so that the colours follow the scheme. */
const colours = ["--line-1", "--line-2", "--line-3", "--line-4"];

export function Chart({ title, times, series, unit = "" }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = [times, ...series.map(({ values }) => values)];
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const labels = series.map(({ label }) => label);
    plot.current = new uPlot(optionsOf(element, labels, unit), data.current, element);
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.current?.destroy();
    };
  }, [series.map(({ label }) => label).join(), unit]);
  useEffect(() => plot.current?.setData(data.current), [JSON.stringify(data.current)]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={box} aria-hidden="true" />
      <div class="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{partTexts.time.label}</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              <tr key={time}>
                <th scope="row">{localTime(new Date(time * 1_000).toISOString())}</th>
                {series.map(({ label, values }) => (
                  <td key={label}>
                    {values[index] ?? "–"} {unit}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
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

function optionsOf(element: Element, labels: string[], unit: string): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const suffix = unit && ` ${unit}`;
  /** A legend shows values only while the pointer is over the chart. */
  const shownAs =
    (text: (value: number) => string) => (_: uPlot, value: number | null, __: number, at: number | null) =>
      at === null ? "" : value == null ? "–" : text(value);
  const lineOf = (index: number) => colour(colours[index % colours.length] ?? "");
  return {
    width: element.clientWidth || 300,
    height,
    padding: [8, right, 0, 0],
    legend: { markers: { width: 0, fill: (_, index) => lineOf(index - 1) } },
    series: [
      { label: partTexts.time.label, value: shownAs((value) => localTime(new Date(value * 1_000).toISOString())) },
      ...labels.map((label, index) => ({
        label,
        stroke: lineOf(index),
        width: 1.5,
        value: shownAs((value) => value.toLocaleString() + suffix),
      })),
    ],
    axes: [
      { ...axis, space: 80, size: 28, values: (_, ticks) => ticks.map(tickText) }, // px
      {
        ...axis,
        size: (_, texts) => widthOf(texts),
        values: (_, ticks) => ticks.map((tick) => tick.toLocaleString() + suffix),
      },
    ],
    scales: { y: { range: (_, _min, max) => [0, Math.max(max ?? 0, 1) * 1.05] } },
  };
}
