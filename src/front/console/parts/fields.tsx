/** Input fields of the action dialog, and their values as mutation input. */
import { localOfUtc, utcOfLocal } from "../../parts/date-range.tsx";
import type { Field } from "../actions/action.ts";

export function input(field: Field) {
  const { name, label, hint } = field;
  const help = hint && <small>{hint}</small>;
  if (field.kind === "choice") {
    return (
      <label key={name}>
        {label}
        {help}
        <select name={name}>
          {field.options.map(([value, text]) => (
            <option key={value} value={value} selected={value === field.present}>
              {text}
            </option>
          ))}
        </select>
      </label>
    );
  }
  const common = { name, required: !field.optional, autoComplete: "off", defaultValue: present(field) };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label key={name}>
      {label}
      {help}
      {field.kind === "text" && <input type="text" {...common} />}
      {field.kind === "moment" && <input type="datetime-local" {...common} />}
      {(field.kind === "number" || field.kind === "euros") && (
        <input type="number" min={field.min} max={field.max} step={field.kind === "euros" ? "0.01" : "1"} {...common} />
      )}
    </label>
  );
}

/** The present value as the input shows it. */
function present({ kind, present }: Field): string | undefined {
  return kind === "moment" && present != null ? localOfUtc(present) : (present ?? undefined);
}

/** Empty becomes null, euros become micro-cents, times are in the reader's zone. */
export function enteredValue(field: Field, form: FormData): unknown {
  const text = String(form.get(field.name) ?? "").trim();
  if (text === "") return null;
  if (field.kind === "number") return Number(text);
  if (field.kind === "euros") return String(Math.round(Number(text) * 100) * 1_000_000);
  return field.kind === "moment" ? utcOfLocal(text) : text;
}
