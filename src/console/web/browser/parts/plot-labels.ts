/** The legend of a plot, and its numbers as a table. */
import { html } from "../html.ts";
import { bucketText } from "../times.ts";
import type { PlotProps } from "./series.ts";

/** Values of the pointed bucket; otherwise sums of the span, or the last value of each line. */
export function captionOf({ id, title, at, step, series, kind, show, unit }: PlotProps, pointed: number | undefined) {
  const value = (values: (number | null)[]) => {
    if (pointed !== undefined) return values[pointed];
    if (kind === "lines") return values.findLast((each) => each !== null);
    return values.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  const when = pointed === undefined ? (kind === "lines" ? "latest" : unit) : bucketText(at[pointed] ?? 0, step);
  return html`<div><h3 id=${id}>${title}</h3><span class="when">${when}</span></div>
  <ul class="legend">
    ${series.map(({ name, colour, values }) => {
      const shown = value(values);
      return html`<li key=${name}
        ><i class=${`swatch ${colour}`} aria-hidden="true"></i>${name} <b>${shown == null ? "–" : show(shown)}</b></li
      >`;
    })}
  </ul>`;
}

export function numbersOf({ title, at, step, series, show }: PlotProps) {
  const rows = at.flatMap((begin, index) => (series.some(({ values }) => values[index]) ? [{ begin, index }] : []));
  return html`<details class="numbers"
    ><summary>Numbers<span class="unseen"> of ${title}</span></summary>
    <div class="table" tabindex="0" role="region" aria-label=${`Numbers of ${title}`}><table>
        <thead><tr><th scope="col">Time</th>${series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
        <tbody>
          ${rows.toReversed().map(
            ({ begin, index }) => html`<tr key=${begin}>
                <td>${bucketText(begin, step)}</td>
                ${series.map(({ values }) => html`<td class="number">${values[index] == null ? "–" : show(values[index])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table></div
    ></details
  >`;
}
