/** Properties of one item as a list of names and values. */
import { html, type Shown } from "../html.ts";

export type Fact = [name: string, value: Shown];

export function facts(all: (Fact | false | undefined | null | "")[]) {
  return html`<dl class="facts">
    ${all
      .filter((fact): fact is Fact => Boolean(fact))
      .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value ?? "–"}</dd></div>`)}
  </dl>`;
}

/** Use of a limit as a number and a bar. */
export function use(used: number, limit: number | null, show: (value: number) => string = String) {
  if (limit == null) return html`<span>${show(used)} <span class="quiet">no limit</span></span>`;
  const share = limit > 0 ? used / limit : used > 0 ? 1 : 0;
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
  return html`<span class="use"
    ><span>${show(used)} <span class="quiet">of ${show(limit)}</span></span
    ><meter class=${tone} min="0" max="1" value=${Math.min(share, 1)} aria-label=${`${Math.round(share * 100)} % used`}></meter
  ></span>`;
}
