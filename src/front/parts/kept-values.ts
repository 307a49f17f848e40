/** Keeps a person's input in a form while the stored values are replaced. */
import { partTexts } from "./texts.ts";

/** A field whose stored value changed under what the person typed. */
export type KeptValue = { label: string; stored: string };

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element): element is Control =>
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement,
  );

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "checkbox";
const typedIn = (control: Control): string => (isBox(control) ? String(control.checked) : control.value);

/** The stored values of a form before a person types. A select does not know its own. */
export function storedIn(form: HTMLFormElement): Map<Control, string> {
  return new Map(controlsOf(form).map((control) => [control, typedIn(control)]));
}

/**
 * Call before the new values are rendered.
 *
 * @param stored of `storedIn`. It gets the new values
 * @returns a function to call afterwards, which restores what was typed and returns the fields that changed on both sides
 */
export function keepTyped(form: HTMLFormElement, stored: Map<Control, string>): () => KeptValue[] {
  const typed = new Map(controlsOf(form).map((control) => [control, typedIn(control)]));
  return () =>
    [...typed].flatMap(([control, value]) => {
      const former = stored.get(control) ?? value;
      const now = storedNow(control, value, former);
      stored.set(control, now);
      if (value === former) return []; // an untouched field shows the new value by itself
      if (!isBox(control)) control.value = value;
      return now === former || now === value ? [] : [{ label: labelOf(control), stored: shown(control, now) }];
    });
}

/** The browser keeps the text in inputs, and a select jumps to a new stored value. */
function storedNow(control: Control, typed: string, former: string): string {
  if (control instanceof HTMLSelectElement) return control.value === typed ? former : control.value;
  return isBox(control) ? String(control.defaultChecked) : control.defaultValue;
}

function shown(control: Control, value: string): string {
  if (isBox(control)) return value === "true" ? partTexts.form.on : partTexts.form.off;
  if (!(control instanceof HTMLSelectElement)) return value;
  return [...control.options].find((option) => option.value === value)?.text ?? value;
}

const labelOf = (control: Control): string => {
  const label = control.labels?.[0];
  return (label?.querySelector("span") ?? label)?.textContent ?? control.name;
};
