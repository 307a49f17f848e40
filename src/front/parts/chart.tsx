/** A line chart by uPlot, with a table of the same values for screen readers and printing. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { chartHeight, ended, optionsOf, type Series } from "./chart-options.ts";
import { partTexts } from "./texts.ts";
import { localTime } from "./time.tsx";

export type ChartProps = {
  title: string;
  /** Starts of intervals of one length, in seconds since 1970, ascending. */
  times: number[];
  series: Series[];
  /** Behind each value, for example "ms". */
  unit?: string;
};

export function Chart({ title, times, series, unit = "" }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const shown = useRef<Pick<ChartProps, "times" | "series">>({ times, series });
  shown.current = { times, series };
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    plot.current = new uPlot(optionsOf(element, shown, unit), ended(shown.current), element);
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: chartHeight }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.current?.destroy();
      plot.current = undefined; // without values no plot follows
    };
  }, [series.map(({ label }) => label).join(), unit, isEmpty]);
  useEffect(() => plot.current?.setData(ended(shown.current)), [JSON.stringify(shown.current)]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {isEmpty ? <p class="nothing">{partTexts.nothingInTime}</p> : <div ref={box} aria-hidden="true" />}
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
