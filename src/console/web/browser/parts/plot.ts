/** A plot over time as SVG: stacked bars, or lines. The caption has the values under the pointer, a table has all. */
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.ts";
import { captionOf, numbersOf } from "./plot-labels.ts";
import { moments, ticksTo } from "./scale.ts";
import type { PlotProps, Series } from "./series.ts";

const height = 148;
const room = { left: 46, right: 8, top: 10, bottom: 24 };

export function Plot(props: PlotProps) {
  const { id, title, unit, kind, at, step, series, show } = props;
  const [box, width] = useWidth();
  const [pointed, point] = useState<number | undefined>(undefined);
  const from = at[0] ?? 0;
  const to = (at.at(-1) ?? 0) + step;
  const nothing = series.every(({ values }) => values.every((value) => !value));
  const sums = at.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest =
    kind === "bars" ? Math.max(...sums, 0) : Math.max(...series.flatMap(({ values }) => values.map(Number)), 0);
  const ticks = ticksTo(unit === "ms" ? highest : Math.max(highest, 4));
  const top = ticks.at(-1) ?? 1;
  const x = (time: number) => room.left + ((time - from) / (to - from || 1)) * (width - room.left - room.right);
  const y = (value: number) => height - room.bottom - (value / top) * (height - room.bottom - room.top);
  const find = (event: PointerEvent) => {
    const left = (event.currentTarget as Element).getBoundingClientRect().left;
    const share = (event.clientX - left - room.left) / (width - room.left - room.right);
    const index = Math.floor(share * at.length);
    point(index >= 0 && index < at.length ? index : undefined);
  };
  return html`<figure class="plot" ref=${box} aria-labelledby=${id}>
    <figcaption>${captionOf(props, pointed)}</figcaption>
    <div class="drawing">
      <svg
        width=${width}
        height=${height}
        role="img"
        aria-label=${`${title}: ${nothing ? "no data in this span" : `at most ${show(highest)}`}`}
        onPointerMove=${find}
        onPointerLeave=${() => point(undefined)}
      >
        ${ticks.map(
          (tick) => html`<g class="tick" key=${tick}>
            <line x1=${room.left} x2=${width - room.right} y1=${y(tick)} y2=${y(tick)} />
            <text x=${room.left - 6} y=${y(tick)} dy="0.32em" text-anchor="end">${show(tick)}</text>
          </g>`,
        )}
        ${moments(from, to, Math.max(2, Math.floor(width / 55))).map(
          ({ at: moment, label }) => html`<g class="moment" key=${moment}>
            <line x1=${x(moment)} x2=${x(moment)} y1=${height - room.bottom} y2=${height - room.bottom + 4} />
            <text x=${Math.min(x(moment), width - 16)} y=${height - 6} text-anchor="middle">${label}</text>
          </g>`,
        )}
        ${kind === "bars" ? bars(at, step, series, x, y) : series.map((each) => line(each, at, step, x, y))}
        ${
          pointed !== undefined &&
          html`<rect class="pointed" x=${x(at[pointed] ?? 0)} y=${room.top} width=${Math.max(x(from + step) - x(from), 1)} height=${height - room.top - room.bottom} />`
        }
      </svg>
      ${nothing && html`<p class="nothing">No data in this span</p>`}
    </div>
    ${numbersOf(props)}
  </figure>`;
}

type Scale = (value: number) => number;

function bars(at: number[], step: number, series: Series[], x: Scale, y: Scale) {
  return at.map((begin, index) => {
    let below = 0;
    const left = x(begin);
    const wide = Math.max(x(begin + step) - left - 1, 1);
    return series.map(({ name, colour, values }) => {
      const value = values[index] ?? 0;
      if (value === 0) return null;
      const high = y(below) - y(below + value);
      below += value;
      return html`<rect key=${name} class=${`fill ${colour}`} x=${left} y=${y(below)} width=${wide} height=${Math.max(high, 1)} />`;
    });
  });
}

/** Lines have gaps where values are missing. A single value is drawn as a point. */
function line({ name, colour, values }: Series, at: number[], step: number, x: Scale, y: Scale) {
  const parts: [number, number][][] = [];
  let last = -2;
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    if (index !== last + 1) parts.push([]);
    parts.at(-1)?.push([x((at[index] ?? 0) + step / 2), y(value)]);
    last = index;
  }
  return html`<g key=${name} class=${`stroke ${colour}`}>
    ${parts.map((points) =>
      points.length === 1
        ? html`<circle cx=${points[0]?.[0]} cy=${points[0]?.[1]} r="2.5" />`
        : html`<polyline points=${points.map((point) => point.map((each) => each.toFixed(1)).join(",")).join(" ")} />`,
    )}
  </g>`;
}

/** The width of the container. */
function useWidth(): [{ current: HTMLElement | null }, number] {
  const box = useRef<HTMLElement>(null);
  const [width, set] = useState(480);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => entry && set(Math.max(Math.floor(entry.contentRect.width), 200)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}
