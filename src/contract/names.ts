/**
 * Names of organisations, people, bots, keys and automations. Lists and mails show a name beside text of the service. So
 * it must be visible, stay on its line and not become a link. The database enforces the same rules (sql/names/rules.sql).
 * (docs/specification/conventions.md#names)
 */
import { text } from "./fields.ts";

/** Characters that break the line or change the direction of text. */
const control = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
/** U+2800, the Braille pattern without dots, is a symbol but invisible. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u;
const link = /:\/\/|www\./i;

/** Returns the fault of a name, or undefined. */
export function nameFault(name: string): string | undefined {
  return controlFault(name) ?? blankFault(name) ?? linkFault(name);
}

function controlFault(name: string): string | undefined {
  return control.test(name) ? "must not contain control characters, line breaks or bidi controls" : undefined;
}

function blankFault(name: string): string | undefined {
  return name === "" || visible.test(name) ? undefined : "must contain a visible character";
}

function linkFault(name: string): string | undefined {
  return link.test(name.normalize("NFKC")) ? "must not contain :// or www." : undefined;
}

/** @param max in characters */
export function name(max: number) {
  return text(1, max).refine((value) => !nameFault(value), { error: ({ input }) => nameFault(String(input)) });
}

/** Returns the fault of a description, or undefined. A description can be empty, have several lines and contain a link. */
export function descriptionFault(value: string): string | undefined {
  if (!control.test(value.replaceAll(/[\t\n\r]/g, ""))) return undefined;
  return "must not contain control characters, except line breaks and tabs, or bidi controls";
}

/** @param max in characters */
export function description(max: number) {
  return text(0, max).refine((value) => !descriptionFault(value), {
    error: ({ input }) => descriptionFault(String(input)),
  });
}
