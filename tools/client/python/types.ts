/** Types of the Python client: a TypedDict for each object of the document, and aliases for the other schemas. */
import { nameOf, type Schema } from "./document.ts";
import { docstring, indent, pascalCase } from "./text.ts";

const scalars: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** Collects the definitions that the types of schemas need. */
export class PythonTypes {
  readonly #definitions = new Map<string, string>();
  readonly #schemas: Record<string, Schema>;

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) {
      if (!this.#definitions.has(name)) this.#define(name, schema);
    }
  }

  get names(): string[] {
    return [...this.#definitions.keys()].sort();
  }

  /** All definitions. Each follows the definitions that it needs; fields of a TypedDict may name later ones. */
  get text(): string {
    return `${[...this.#definitions.values()].join("\n\n\n")}\n`;
  }

  /** The schema itself, or the component that it refers to. */
  resolved(schema: Schema): Schema {
    const component = schema.$ref && this.#schemas[nameOf(schema.$ref)];
    return component ? this.resolved(component) : schema;
  }

  /** The type of a schema. Defines a TypedDict `name` for an object without a name of its own. */
  of(schema: Schema, name: string): string {
    if (schema.$ref) return nameOf(schema.$ref);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return choices.map((each) => this.of(each, name)).join(" | ");
    const types = [schema.type ?? "any"].flat();
    return types.map((type) => this.#ofType(type, schema, name)).join(" | ");
  }

  alias(name: string, type: string, description?: string): void {
    this.#add(name, [`${name} = ${type}`, docstring(description)].filter(Boolean).join("\n"));
  }

  #ofType(type: string, schema: Schema, name: string): string {
    if (type === "array") return `list[${this.of(schema.items ?? {}, `${name}Item`)}]`;
    if (type !== "object") return scalars[type] ?? "Any";
    if (!schema.properties) {
      const { additionalProperties: each } = schema;
      return `dict[str, ${typeof each === "object" ? this.of(each, `${name}Value`) : "Any"}]`;
    }
    const own = schema.title ?? name;
    this.#defineDict(own, schema);
    return own;
  }

  #define(name: string, schema: Schema): void {
    if (schema.properties) {
      this.#defineDict(name, schema);
      return;
    }
    // Unlike the fields of a TypedDict, an alias is evaluated at once, so its parts come first.
    for (const { $ref } of [schema, ...(schema.oneOf ?? [])]) if ($ref) this.#defineComponent(nameOf($ref));
    this.alias(name, this.of(schema, name), schema.description);
  }

  #defineDict(name: string, { properties = {}, required = [], description }: Schema): void {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.of(schema, `${name}${pascalCase(field)}`);
      const declared = `${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}`;
      return [declared, docstring(schema.description)].filter(Boolean).join("\n");
    });
    const body = [docstring(description), ...fields].filter(Boolean).join("\n");
    this.#add(name, `class ${name}(TypedDict):\n${indent(body)}`);
  }

  #defineComponent(name: string): void {
    const schema = this.#schemas[name];
    if (schema && !this.#definitions.has(name)) this.#define(name, schema);
  }

  /** @throws Error if a type of another content has the name */
  #add(name: string, text: string): void {
    const former = this.#definitions.get(name);
    if (former !== undefined && former !== text) throw new Error(`Two types of the Python client are named ${name}.`);
    this.#definitions.set(name, text);
  }
}

const literal = (value: string | boolean): string =>
  typeof value === "string" ? JSON.stringify(value) : value ? "True" : "False";
