/**
 * The fields of a body in the form of an operation: an input for each string, number and choice, also one level deep, and for
 * lists of them. The JSON below has the whole body, also what has no input. The script (fields.js) keeps both alike.
 */
import { type Html, html, joined } from "../../../web/layout.ts";
import { choicesOf, type Schema, typeOf, withoutNull } from "./schema.ts";

type Field = { id: string; name: string; schema: Schema; isRequired: boolean };

export function renderBody(id: string, schema: Schema, example: unknown): Html {
  const fields = fieldsOf(id, schema).map((field) => renderField(field, field.name) ?? renderGroup(field));
  const hasAll = fields.every((field) => field !== undefined);
  return html`${joined(fields.filter((field) => field !== undefined))}
<details${hasAll ? html`` : html` open`}><summary>The body as JSON</summary>
<label for="${id}-body">Body</label>
<textarea id="${id}-body" name="body" rows="8" spellcheck="false">${JSON.stringify(example, null, 2)}</textarea></details>`;
}

const fieldsOf = (id: string, { properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    ...{ id: `${id}-body-${name}`, name, isRequired: required.includes(name) },
    schema: withoutNull(schema),
  }));

/** An object with its own fields. Undefined if one of them has no input. */
function renderGroup({ id, name, schema }: Field): Html | undefined {
  if (!schema.properties) return undefined;
  const fields = fieldsOf(id, schema).map((field) => renderField(field, `${name}.${field.name}`));
  return fields.includes(undefined)
    ? undefined
    : html`<fieldset><legend><code>${name}</code></legend>
${joined(fields as Html[])}</fieldset>
`;
}

/** @param path of the field, with dots. Undefined if the schema is none of a single input or list of inputs. */
function renderField({ id, name, schema, isRequired }: Field, path: string): Html | undefined {
  const types = [schema.type ?? []].flat();
  const items = schema.items && choicesOf(schema.items);
  const choices = choicesOf(schema);
  const optional = isRequired ? "" : ", optional";
  const label = html`<label for="${id}"><code>${name}</code> <span class="type">${typeOf(schema)}${optional}</span></label>
`;
  if (items) return list(path, name, optional, joined(items.map((item) => renderCheckbox(item))));
  if (schema.items) return schema.items.type === "string" ? list(path, name, optional, html``) : undefined;
  if (choices) return html`${label}${renderChoice(id, path, choices, isRequired)}`;
  const isNumber = types.includes("number") || types.includes("integer");
  if (!isNumber && !types.includes("string")) return undefined;
  if ((schema.maxLength ?? 0) >= 1_000 && schema.format !== "uri")
    return html`${label}<textarea id="${id}" data-field="${path}" rows="3"></textarea>
`;
  return html`${label}<input id="${id}" data-field="${path}"${isNumber ? html` inputmode="decimal" data-number` : html``}>
`;
}

/** The script adds an input for each text, if there are no checkboxes. */
const list = (path: string, name: string, optional: string, boxes: Html): Html =>
  html`<fieldset data-field="${path}" data-name="${name}"><legend><code>${name}</code> <span class="type">list${optional}</span></legend>
${boxes}</fieldset>
`;

const renderCheckbox = (item: unknown): Html =>
  html`<label class="box"><input type="checkbox" value="${JSON.stringify(item)}"> ${String(item)}</label>
`;

function renderChoice(id: string, path: string, choices: unknown[], isRequired: boolean): Html {
  const options = choices.map((choice) => html`<option value="${JSON.stringify(choice)}">${String(choice)}</option>`);
  return html`<select id="${id}" data-field="${path}">${isRequired ? html`` : html`<option value="">not sent</option>`}${joined(options)}</select>
`;
}
