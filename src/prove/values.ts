/** The values that the solver found, as SQL. */
import type { Catalogue } from "./catalogue.ts";
import type { Example } from "./prove.ts";
import { isNumber, isText, type Scalar } from "./terms.ts";

/** Undefined where the value does not matter. */
export function sqlValue(example: Example, { value, isNull, type }: Scalar, catalogue: Catalogue): string | undefined {
  const { values } = example;
  if (isNull === "true" || values.get(bare(isNull)) === true) return "null";
  const number = values.get(bare(value));
  if (typeof number !== "number") return undefined;
  const labels = catalogue.enumerations[type];
  if (labels) return quoted(labels[number] ?? labels[0] ?? "");
  if (type === "boolean") return `${number === 1}`;
  const literal = literalOf(values, number, isText(type) ? "text" : type);
  if (literal !== undefined) return quoted(literal);
  if (type === "uuid") return quoted(idOf(number, example.at));
  if (isNumber(type)) return `${Math.round(number)}`;
  // An hour for a unit, beside the time of the statement.
  if (type.startsWith("timestamp"))
    return `now() + interval '${Math.round(number - Number(values.get("function now") ?? 0))} hours'`;
  return undefined;
}

/** Whether the example needs a value, whichever. */
export const isGiven = ({ values }: Example, { isNull }: Scalar): boolean => values.get(bare(isNull)) === false;

const bare = (term: string): string => term.replace(/^\||\|$/g, "");
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function literalOf(values: Example["values"], number: number, kind: string): string | undefined {
  const prefix = `${kind} '`;
  for (const [name, value] of values) {
    if (value === number && name.startsWith(prefix) && name.endsWith("'")) return name.slice(prefix.length, -1);
  }
  return undefined;
}

/** An id of the present, since tables have partitions by the time in their ids. Equal numbers are equal ids. */
function idOf(number: number, at: number): string {
  const time = at.toString(16).padStart(12, "0");
  const place = Math.abs(Math.round(number * 4))
    .toString(16)
    .padStart(11, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number < 0 ? "f" : "0"}${place}`;
}

/** A value of a column that an insert needs and the example leaves open. */
export function sampleOf(type: string, name: string, catalogue: Catalogue): string {
  const [label] = catalogue.enumerations[type] ?? [];
  if (label !== undefined) return quoted(label);
  if (type.endsWith("[]")) return `array[${sampleOf(type.slice(0, -2), name, catalogue)}]::${type}`;
  if (type === "uuid") return "uuidv7()";
  if (type === "bytea") return "sha256(random()::text::bytea)";
  if (type === "boolean") return "false";
  if (isNumber(type) || type.startsWith("double")) return "1";
  if (type.startsWith("timestamp")) return "now()";
  if (type === "date") return "current_date";
  if (type === "interval") return "interval '1 day'";
  if (type.startsWith("json")) return "'{}'";
  if (type === "tsvector") return "''::tsvector";
  if (["inet", "cidr"].includes(type)) return "'192.0.2.1'";
  if (/url|uri|client_id/.test(name)) return "'https://example.com/'";
  return isText(type) ? "'an_example12'" : "null"; // 12 characters, as prefixes of credentials have
}
