/** The fields of an action's dialog, and what was entered in them, as the mutation takes it. */
import type { Field } from "../actions/action.ts";
import { html } from "../html.ts";

export function input(field: Field) {
  const { name, label, hint } = field;
  const told = hint && html`<small>${hint}</small>`;
  if (field.kind === "choice") {
    return html`<label key=${name}
      >${label}${told}
      <select name=${name}>
        ${field.options.map(([value, words]) => html`<option value=${value}>${words}</option>`)}
      </select></label
    >`;
  }
  const required = !field.optional;
  const type = { text: "text", number: "number", euros: "number", moment: "datetime-local" }[field.kind];
  const bounds =
    "least" in field ? { min: field.least, max: field.most, step: field.kind === "euros" ? "0.01" : "1" } : {};
  return html`<label key=${name}
    >${label}${told}
    <input type=${type} name=${name} required=${required} autocomplete="off" ...${bounds} /></label
  >`;
}

/** Nothing entered is null; euros are micro-cents, moments are UTC. */
export function givenIn(field: Field, form: FormData): unknown {
  const text = String(form.get(field.name) ?? "").trim();
  if (text === "") return null;
  if (field.kind === "number") return Number(text);
  if (field.kind === "euros") return String(Math.round(Number(text) * 100) * 1_000_000);
  return field.kind === "moment" ? `${text}Z` : text;
}
