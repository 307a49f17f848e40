/** Methods of the Python client: one for each operation that takes a key. */
import { type Document, nameOf, type Operation, type Parameter, type Schema } from "./document.ts";
import { docstring, indent, pascalCase, snakeCase } from "./text.ts";
import type { PythonTypes } from "./types.ts";

export function methodsOf(document: Document, types: PythonTypes): string {
  const { securitySchemes, parameters: shared } = document.components;
  const takesKey = ({ security }: Operation) =>
    security.some((schemes) => Object.keys(schemes).some((name) => securitySchemes[name]?.scheme === "bearer"));
  const parametersOf = ({ parameters = [] }: Operation) =>
    parameters.map((each) => ("$ref" in each ? shared[nameOf(each.$ref)] : each)).filter((each) => each !== undefined);

  return Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => takesKey(operation))
    .flatMap(({ path, method, operation }) => {
      const parameters = parametersOf(operation);
      const call = { path, method: method.toUpperCase(), operation, parameters, types };
      const contents = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
      const schemaOf = (type: string) => contents.map(([, { content }]) => content?.[type]?.schema).find(Boolean);
      const [json, event] = [schemaOf("application/json"), schemaOf("text/event-stream")];
      return json ? jsonMethod(call, json) : event ? streamMethod(call, event) : [];
    })
    .join("\n");
}

type Call = { path: string; method: string; operation: Operation; parameters: Parameter[]; types: PythonTypes };

const options = ["timeout: float | None = None", "max_retries: int | None = None"];
const passedOptions = ["timeout=timeout", "max_retries=max_retries"];

function jsonMethod(call: Call, json: Schema): string {
  const { method, path, operation, types } = call;
  const name = pascalCase(operation.operationId);
  const response = types.of(json, name);
  const { parts, query, passed } = addressOf(call);
  const body = operation.requestBody;
  const bodyType = body && types.of(body.content["application/json"]?.schema ?? {}, `${name}Body`);
  const headers = [
    ...(method === "POST" ? ["idempotency_key"] : []),
    ...(call.parameters.some((each) => each.name === "If-Match") ? ["if_match"] : []),
  ];
  const row = rowOf(types.resolved(json), types, name);
  const receives = [
    ...parts,
    ...(bodyType ? [body.required ? `body: ${bodyType}` : `body: ${bodyType} | None = None`] : []),
    "*",
    ...query,
    ...headers.map((name) => `${name}: str | None = None`),
    ...options,
  ];
  const passes = [
    ...passed,
    ...(bodyType ? [body.required ? "body=body" : "body={} if body is None else body"] : []),
    ...headers.map((name) => `${name}=${name}`),
    ...passedOptions,
  ];
  if (row) {
    const listing = `Listing[${row}, ${response}]`;
    return written(operation, operation.operationId, receives, listing, `self._list("${path}"`, passes);
  }
  const made = `self._call("${method}", "${path}"`;
  return written(operation, operation.operationId, receives, response, made, passes, true);
}

function streamMethod(call: Call, event: Schema): string {
  const { path, operation, types, parameters } = call;
  const name = operation.operationId;
  const { parts, query, passed } = addressOf(call);
  const lastEventId = parameters.find((parameter) => parameter.name === "Last-Event-ID");
  const after = lastEventId ? [`after: ${types.of(lastEventId.schema, "")} | None = None`] : [];
  const receives = [...parts, "*", ...query, ...after, ...options];
  const passes = [...passed, ...(lastEventId ? ["after=after"] : []), ...passedOptions];
  const type = types.of(event, `${pascalCase(name)}Event`);
  return written(operation, name, receives, `Iterator[${type}]`, `self._watch("${path}"`, passes);
}

/** The type of the rows, if the response is a page of rows that ends with a null cursor. */
function rowOf({ properties = {} }: Schema, types: PythonTypes, name: string): string | undefined {
  const { data, nextCursor } = properties;
  return data?.items && nextCursor?.type?.includes("null") ? types.of(data.items, `${name}Row`) : undefined;
}

/** Parameters of the path and of the query, as the method receives and passes them. */
function addressOf({ parameters, types, operation }: Call) {
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  const dict = (list: Parameter[]) => indent(list.map(({ name }) => `"${name}": ${snakeCase(name)},`).join("\n"));
  return {
    parts: inPath.map(({ name }) => `${snakeCase(name)}: str`),
    query: inQuery.map(({ name, schema }) => {
      const type = types.of(schema, pascalCase(`${operation.operationId}_${name}`));
      return `${snakeCase(name)}: ${type} | None = None`;
    }),
    passed: [
      ...(inPath.length > 0 ? [`path={\n${dict(inPath)}\n}`] : []),
      ...(inQuery.length > 0 ? [`query={\n${dict(inQuery)}\n}`] : []),
    ],
  };
}

function written(
  { summary, description, deprecated }: Operation,
  name: string,
  receives: string[],
  returns: string,
  call: string,
  passes: string[],
  isCast = false,
): string {
  const text = [`${summary}.`, deprecated ? "Deprecated." : "", description ?? ""].filter(Boolean).join("\n\n");
  const made = `${call},\n${indent(passes.join(",\n"))},\n)`;
  const result = isCast ? `return cast(${returns}, ${made})` : `return ${made}`;
  const head = `def ${name}(\n${indent(["self", ...receives].join(",\n"))},\n) -> ${returns}:`;
  return indent(`${head}\n${indent(`${docstring(text)}\n${result}`)}\n`);
}
