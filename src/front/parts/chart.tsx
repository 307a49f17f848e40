/** A line chart by uPlot, with a table of the same values for screen readers and printing. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { localDay, localTime } from "./time.tsx";

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
              <th scope="col">Time</th>
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

/** The day at midnight, and the time otherwise. */
function tickText(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return at.getHours() + at.getMinutes() === 0 ? localDay(at.toISOString()) : clock.format(at);
}

function optionsOf(element: Element, labels: string[], unit: string): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const suffix = unit && ` ${unit}`;
  return {
    width: element.clientWidth || 300,
    height,
    series: [
      { label: "Time", value: (_, value) => (value == null ? "–" : localTime(new Date(value * 1_000).toISOString())) },
      ...labels.map((label, index) => ({
        label,
        stroke: colour(colours[index % colours.length] ?? ""),
        width: 1.5,
        value: (_: uPlot, value: number | null) => (value == null ? "–" : value.toLocaleString() + suffix),
      })),
    ],
    axes: [
      { ...axis, space: 90, values: (_, ticks) => ticks.map(tickText) }, // px, the width of a day
      { ...axis, size: 60, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString() + suffix) },
    ],
    scales: { y: { range: (_, _min, max) => [0, Math.max(max ?? 0, 1) * 1.05] } },
  };
}
