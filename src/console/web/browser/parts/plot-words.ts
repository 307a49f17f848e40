/** What a plot says in words: its legend, and its numbers as a table. */
import { html } from "../html.ts";
import { bucketWords } from "../times.ts";
import type { PlotProps } from "./series.ts";

/** The whole span's sums (of lines, the last value), or those of the bucket that is pointed at. */
export function captionOf({ id, title, at, step, series, kind, show, unit }: PlotProps, pointed: number | undefined) {
  const value = (values: (number | null)[]) => {
    if (pointed !== undefined) return values[pointed];
    if (kind === "lines") return values.findLast((each) => each !== null);
    return values.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  const when = pointed === undefined ? (kind === "lines" ? "latest" : unit) : bucketWords(at[pointed] ?? 0, step);
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
  const told = at.flatMap((begin, index) => (series.some(({ values }) => values[index]) ? [{ begin, index }] : []));
  return html`<details class="numbers"
    ><summary>Numbers<span class="unseen"> of ${title}</span></summary>
    <div class="table" tabindex="0" role="region" aria-label=${`Numbers of ${title}`}><table>
        <thead><tr><th scope="col">Time</th>${series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
        <tbody>
          ${told.toReversed().map(
            ({ begin, index }) => html`<tr key=${begin}>
                <td>${bucketWords(begin, step)}</td>
                ${series.map(({ values }) => html`<td class="number">${values[index] == null ? "–" : show(values[index])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table></div
    ></details
  >`;
}
