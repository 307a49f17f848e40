/** Input fields of the action dialog, and their values as mutation input. */
import type { Field } from "../actions/action.ts";
import { html } from "../html.ts";

export function input(field: Field) {
  const { name, label, hint } = field;
  const help = hint && html`<small>${hint}</small>`;
  if (field.kind === "choice") {
    return html`<label key=${name}
      >${label}${help}
      <select name=${name}>
        ${field.options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
      </select></label
    >`;
  }
  const required = !field.optional;
  const type = { text: "text", number: "number", euros: "number", moment: "datetime-local" }[field.kind];
  const bounds = "min" in field ? { min: field.min, max: field.max, step: field.kind === "euros" ? "0.01" : "1" } : {};
  return html`<label key=${name}
    >${label}${help}
    <input type=${type} name=${name} required=${required} autocomplete="off" ...${bounds} /></label
  >`;
}

/** Empty becomes null, euros become micro-cents, times are UTC. */
export function enteredValue(field: Field, form: FormData): unknown {
  const text = String(form.get(field.name) ?? "").trim();
  if (text === "") return null;
  if (field.kind === "number") return Number(text);
  if (field.kind === "euros") return String(Math.round(Number(text) * 100) * 1_000_000);
  return field.kind === "moment" ? `${text}Z` : text;
}
