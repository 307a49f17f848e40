/** The form of an operation, which calls it. The script shows and sends the form; data attributes describe it. */
import { type Html, html, joined } from "../../../web/layout.ts";
import type { Parameter } from "../../openapi/operations.ts";
import { renderBody } from "./body.ts";
import { choicesOf, type Schema, typeOf } from "./schema.ts";

export type Resolved = Parameter & {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

type Form = {
  id: string;
  title: string;
  method: string;
  path: string;
  parameters: Resolved[];
  body: { schema: Schema; example?: unknown } | undefined;
};

export function renderForm({ id, title, method, path, parameters, body }: Form): Html {
  return html`<form class="try" hidden data-method="${method.toUpperCase()}" data-path="${path}" aria-label="Try: ${title}">
${joined(parameters.filter((each) => each.in !== "header").map((each) => renderInput(id, each)))}
${body?.example === undefined ? html`` : renderBody(id, body.schema, body.example)}
<button>Send</button> <button type="button" class="other curl">Copy as curl</button>
<output></output>
</form>`;
}

function renderInput(id: string, { name, in: place, schema, example }: Resolved): Html {
  const label = html`<label for="${id}-${name}"><code>${name}</code> <span class="type">${place}, ${typeOf(schema)}</span></label>
`;
  const choices = choicesOf(schema);
  if (choices) {
    const none = schema.default === undefined ? "any" : `${schema.default}, the default`;
    const options = choices.map((choice) => html`<option>${String(choice)}</option>`);
    return html`${label}<select id="${id}-${name}" name="${name}" data-in="${place}">
<option value="">${none}</option>${joined(options)}</select>`;
  }
  return html`${label}<input id="${id}-${name}" name="${name}" data-in="${place}" placeholder="${String(example ?? schema.default ?? "")}"${
    place === "path" ? html` required` : html``
  }>`;
}
