/** A schema as a list of its fields, each with its type, its bounds and its description. */
import { type Html, html, joined } from "../../../web/layout.ts";
import { inlineMarkdown } from "./markdown.ts";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

export function renderSchema(schema: Schema): Html {
  const said = schema.description ? html`<p>${inlineMarkdown(schema.description)}</p>` : html``;
  if (!schema.properties) return html`${said}<p>${typeOf(schema)}</p>`;
  return html`${said}<dl>${joined(Object.entries(schema.properties).map(([name, field]) => renderField(name, field, schema)))}</dl>`;
}

function renderField(name: string, field: Schema, { required = [] }: Schema): Html {
  const inner = field.properties ?? field.items?.properties;
  return html`<dt><code>${name}</code> <span class="type">${typeOf(field)}${required.includes(name) ? "" : ", optional"}</span></dt>
<dd>${field.description ? inlineMarkdown(field.description) : ""}${
    inner ? renderSchema({ properties: inner, required: field.required ?? field.items?.required ?? [] }) : html``
  }</dd>
`;
}

/** In words, as "string or null, 1 to 60 characters". A component is linked. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return html`<a href="#schema-${name}">${name}</a>${bounds(schema)}`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices.map(typeOf), " or ");
  if (schema.allOf?.[0]) return typeOf(schema.allOf[0]);
  if (schema.enum) return html`${schema.enum.map(String).join(" | ")}${bounds(schema)}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.items) return html`array of ${typeOf(schema.items)}${bounds(schema)}`;
  return html`${[schema.type ?? "anything"].flat().join(" or ")}${bounds(schema)}`;
}

/** The schema of the values that are not null, if it is a single one. */
export function withoutNull(schema: Schema): Schema {
  const [only, ...others] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  return only && others.length === 0 ? only : schema;
}

/** The values of an enumeration or a boolean, also of one that may be null. Undefined for other types. */
export function choicesOf(schema: Schema): unknown[] | undefined {
  const { enum: choices, type } = withoutNull(schema);
  return choices ?? (type === "boolean" ? [true, false] : undefined);
}

function bounds(schema: Schema): string {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  return [
    format ? ` (${format})` : "",
    between(minLength, maxLength, " characters"),
    between(minimum, maximum, ""),
    between(minItems, maxItems, " items"),
    schema.default === undefined ? "" : `, by default ${JSON.stringify(schema.default)}`,
  ].join("");
}

/** Omits the bounds that zod gives every integer: what a number can hold exactly. */
function between(min: number | undefined, max: number | undefined, unit: string): string {
  const lower = min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min;
  const upper = max === undefined || max >= Number.MAX_SAFE_INTEGER ? undefined : max;
  if (lower !== undefined && upper !== undefined) return `, ${lower} to ${upper}${unit}`;
  if (upper !== undefined) return `, at most ${upper}${unit}`;
  return lower === undefined ? "" : `, at least ${lower}${unit}`;
}
