/** Samples of each operation in shell, TypeScript and Python, made from the examples of the contract. */
import type { Operation } from "../../contract/operation.ts";

export type CodeSample = { lang: string; label: string; source: string };

/** A call of an operation: path parameters and body are its examples. */
type Call = {
  operation: Operation;
  /** Address of the API, with /api/v1. */
  url: string;
  id: string | undefined;
  body: unknown;
};

export function codeSamples(call: Call): CodeSample[] {
  return [
    { lang: "Shell", label: "curl", source: shell(call) },
    { lang: "TypeScript", label: "TypeScript", source: typeScript(call) },
    { lang: "Python", label: "Python", source: python(call) },
  ];
}

function filled({ operation, id = "" }: Call): string {
  return operation.path.replace(/\{\w+\}/, id);
}

function shell(call: Call): string {
  const { operation, url, body } = call;
  const method = operation.method.toUpperCase();
  const isPlain = method === "GET" || (method === "POST" && body !== undefined);
  return [
    `curl -sS ${operation.stream ? "-N " : ""}${isPlain ? "" : `-X ${method} `}${url}${filled(call)}`,
    '-H "authorization: Bearer $BOTSTEAD_KEY"',
    ...(operation.needsIdempotencyKey ? ['-H "idempotency-key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined
      ? []
      : ['-H "content-type: application/json"', `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}

function typeScript({ operation, url, id, body }: Call): string {
  const { method, path } = operation;
  const parameter = /\{(\w+)\}/.exec(path)?.[1];
  const options = [
    ...(parameter ? [`path: { ${parameter}: ${JSON.stringify(id)} }`] : []),
    ...(body === undefined ? [] : [`body: ${literalOfTypeScript(body)}`]),
  ];
  const given = `${JSON.stringify(path)}${options.length > 0 ? `, { ${options.join(", ")} }` : ""}`;
  return `import { createClient } from "botstead/client";

const client = createClient({ baseUrl: ${JSON.stringify(url.replace(/\/api\/v1$/, ""))}, key: process.env.BOTSTEAD_KEY ?? "" });

${
  operation.stream
    ? `for await (const { event, data } of client.watch(${given})) console.log(event, data);`
    : operation.list && !operation.feed
      ? `for await (const row of client.list(${given})) console.log(row);`
      : `console.log(await client.${method}(${given}));`
}`;
}

/** JSON, with names that need no quotes. */
function literalOfTypeScript(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z]\w*)":/gm, "$1$2:");
}

/** The client has a method for each operation. Path parameters come first, then the body. */
function python({ operation, url, id, body }: Call): string {
  const given = [
    ...(operation.path.includes("{") ? [JSON.stringify(id)] : []),
    ...(body === undefined ? [] : [literalOfPython(body)]),
  ];
  const call = `client.${operation.name}(${given.join(", ")})`;
  return `import os

from botstead import Botstead

client = Botstead(${JSON.stringify(url.replace(/\/api\/v1$/, ""))}, os.environ["BOTSTEAD_KEY"])
${
  operation.stream
    ? `for event in ${call}:\n    print(event)`
    : operation.list && !operation.feed
      ? `for row in ${call}:\n    print(row)`
      : `print(${call})`
}`;
}

function literalOfPython(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  const block = (open: string, lines: string[], close: string) =>
    lines.length === 0
      ? open + close
      : `${open}\n${lines.map((line) => `${inner}${line},\n`).join("")}${indent}${close}`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value))
    return block(
      "[",
      value.map((each) => literalOfPython(each, inner)),
      "]",
    );
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${literalOfPython(each, inner)}`,
  );
  return block("{", members, "}");
}
