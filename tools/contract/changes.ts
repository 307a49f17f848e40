/**
 * Lists the changes between two versions of the contract, and whether each breaks clients of the old version. The rules are
 * in docs/versioning.md. Packages on npm that compare contracts do not support OpenAPI 3.1, or ship a binary.
 */
import { compareSchemas, type Schema } from "./schema-changes.ts";

export type Change = { breaking: boolean; at: string; what: string };

type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Response = { headers?: Record<string, unknown>; content?: Content };
type Operation = {
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
};
export type Document = {
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components?: unknown;
};

export function compareContracts(released: Document, current: Document): Change[] {
  const before = expand(released);
  const after = expand(current);
  return [
    ...compareOperations(operationsIn(before.paths), operationsIn(after.paths), compareOperation),
    ...compareOperations(operationsIn(before.webhooks ?? {}), operationsIn(after.webhooks ?? {}), compareWebhook),
  ];
}

/** Resolves references to parameters, responses and headers. compareSchemas resolves references to schemas. */
function expand(document: Document): Document {
  const follow = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(follow);
    const reference = (value as { $ref?: string }).$ref;
    if (reference && !reference.startsWith("#/components/schemas/")) return follow(find(document, reference));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, follow(inner)]));
  };
  const schemas = (document.components as { schemas?: Record<string, Schema> })?.schemas ?? {};
  const expanded = follow({ paths: document.paths, webhooks: document.webhooks }) as Document;
  return attachComponents(expanded, schemas);
}

function find(document: unknown, reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((place, name) => (place as Record<string, unknown>)?.[name], document);
}

/** Gives each schema the components of its own document, so that compareSchemas can resolve its references. */
function attachComponents(document: Document, components: Record<string, Schema>): Document {
  const attach = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "schema") Object.defineProperty(inner, "components", { value: components });
      else attach(inner);
    }
  };
  attach(document);
  return document;
}

function operationsIn(paths: Document["paths"]): Map<string, Operation> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Operation]),
    ),
  );
}

function compareOperations(
  before: Map<string, Operation>,
  after: Map<string, Operation>,
  compare: (at: string, before: Operation, after: Operation) => Change[],
): Change[] {
  const gone = [...before.keys()].filter((at) => !after.has(at));
  const added = [...after.keys()].filter((at) => !before.has(at));
  const both = [...before].filter(([at]) => after.has(at));
  return [
    ...gone.map((at) => ({ breaking: true, at, what: "was removed" })),
    ...added.map((at) => ({ breaking: false, at, what: "was added" })),
    ...both.flatMap(([at, operation]) => compare(at, operation, after.get(at) as Operation)),
  ];
}

function compareOperation(at: string, before: Operation, after: Operation): Change[] {
  return [
    ...compareSecurity(at, before, after),
    ...compareParameters(at, before.parameters ?? [], after.parameters ?? []),
    ...compareRequest(at, before, after),
    ...compareResponses(at, before.responses, after.responses),
  ];
}

/** A webhook body is compared like a response: its receiver reads it as a caller reads an answer. */
function compareWebhook(at: string, before: Operation, after: Operation): Change[] {
  const name = (parameter: Parameter) => parameter.name;
  const gone = (before.parameters ?? []).map(name).filter((each) => !(after.parameters ?? []).map(name).includes(each));
  return [
    ...gone.map((header) => ({ breaking: true, at: `${at} header ${header}`, what: "was removed" })),
    ...compareContent(`${at} body`, before.requestBody?.content, after.requestBody?.content, "answer"),
  ];
}

function compareSecurity(at: string, before: Operation, after: Operation): Change[] {
  const accepted = ({ security = [] }: Operation) => security.map((each) => Object.keys(each).toSorted().join("+"));
  const open = accepted(after).length === 0;
  const closed = accepted(before).length === 0 && !open;
  const gone = open ? [] : accepted(before).filter((scheme) => !accepted(after).includes(scheme));
  return [
    ...(closed ? [{ breaking: true, at, what: "requires a key" }] : []),
    ...gone.map((scheme) => ({ breaking: true, at, what: `no longer accepts ${scheme}` })),
  ];
}

function compareParameters(at: string, before: Parameter[], after: Parameter[]): Change[] {
  const key = (parameter: Parameter) => `${parameter.in} ${parameter.name}`;
  const current = new Map(after.map((parameter) => [key(parameter), parameter]));
  const known = new Set(before.map(key));
  const changed = before.flatMap((parameter): Change[] => {
    const here = `${at} ${key(parameter)}`;
    const now = current.get(key(parameter));
    if (!now) return [{ breaking: true, at: here, what: "was removed" }];
    const required = now.required && !parameter.required ? [{ breaking: true, at: here, what: "is required" }] : [];
    return [...required, ...compareSchemas(here, parameter.schema, now.schema, "request")];
  });
  const added = after.filter((parameter) => !known.has(key(parameter)));
  return [
    ...changed,
    ...added.map((parameter) => ({
      breaking: parameter.required === true,
      at: `${at} ${key(parameter)}`,
      what: parameter.required ? "was added and is required" : "was added",
    })),
  ];
}

function compareRequest(at: string, { requestBody: before }: Operation, { requestBody: after }: Operation): Change[] {
  const here = `${at} body`;
  if (!before) return after ? [{ breaking: after.required === true, at: here, what: "was added" }] : [];
  if (!after) return [{ breaking: true, at: here, what: "was removed" }];
  const required = after.required && !before.required ? [{ breaking: true, at: here, what: "is required" }] : [];
  return [...required, ...compareContent(here, before.content, after.content, "request")];
}

function compareResponses(at: string, before: Operation["responses"], after: Operation["responses"]): Change[] {
  const changed = Object.entries(before).flatMap(([status, response]): Change[] => {
    const here = `${at} ${status}`;
    const now = after[status];
    if (!now) return [{ breaking: true, at: here, what: "was removed" }];
    const headers = Object.keys(response.headers ?? {}).filter(
      (name) => !Object.keys(now.headers ?? {}).includes(name),
    );
    return [
      ...headers.map((name) => ({ breaking: true, at: `${here} header ${name}`, what: "was removed" })),
      ...compareContent(here, response.content, now.content, "answer"),
    ];
  });
  const added = Object.keys(after).filter((status) => !(status in before));
  return [...changed, ...added.map((status) => ({ breaking: false, at: `${at} ${status}`, what: "was added" }))];
}

function compareContent(
  at: string,
  before: Content | undefined,
  after: Content | undefined,
  direction: "request" | "answer",
): Change[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.[type]?.schema;
    if (!now) return [{ breaking: true, at: `${at} ${type}`, what: "was removed" }];
    return compareSchemas(at, schema, now, direction);
  });
}
