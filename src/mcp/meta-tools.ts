/**
 * The tools that find and call operations: four instead of seventy, because an agent reads all of them first. Reading and
 * writing are apart, so that a client can allow reads once and ask before each write.
 */
import { input, type ObjectSchema, object, text } from "./json-schema.ts";
import { callResult, errorSchema } from "./result-schema.ts";

export type MetaTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: object;
};

const operationName = text("Name of the operation, as search_operations returns it.");
const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const callInput = input(
  {
    name: operationName,
    arguments: {
      type: "object",
      description: "Arguments of the operation, all in this object, as describe_operation names them.",
    },
  },
  ["name"],
);

export const metaTools: readonly MetaTool[] = [
  {
    name: "search_operations",
    title: "Search operations",
    description:
      "Finds operations that the key may call. Ask in your own words, such as `run a report every morning`. Each result has a " +
      "name, one line about it, and the tool that calls it.",
    inputSchema: input({ query: text("What you want to do. Empty: all operations.") }),
    outputSchema: object({
      operations: {
        type: "array",
        description: "Best first.",
        items: object({
          name: text("Name of the operation."),
          summary: text("What it does, in one line."),
          tool: text("The tool that calls it."),
        }),
      },
      note: text("An operation that would fit, but needs a key of a wider scope."),
      error: errorSchema,
    }),
    annotations: reading,
  },
  {
    name: "describe_operation",
    title: "Describe an operation",
    description:
      "Returns what an operation does, why it can be refused, and JSON Schemas of its arguments and of the `body` of its result.",
    inputSchema: input({ name: operationName }, ["name"]),
    outputSchema: object({
      name: text("Name of the operation."),
      title: text("What it does, in a few words."),
      tool: text("The tool that calls it."),
      description: text("What it does, and why it can be refused."),
      inputSchema: { type: "object", description: "JSON Schema of its arguments." },
      example: { type: "object", description: "Arguments of a call. The ids do not exist." },
      bodySchema: { type: "object", description: "JSON Schema of the `body` of its result." },
      error: errorSchema,
    }),
    annotations: reading,
  },
  {
    name: "call_read_operation",
    title: "Call an operation that reads",
    description:
      "Calls an operation that changes nothing: its name begins with `get_` or `list_`. Returns `status` and `body`. A refusal " +
      "has `error` instead, with `code`, `reason`, `message` and `details`.",
    inputSchema: callInput,
    outputSchema: callResult,
    annotations: reading,
  },
  {
    name: "call_write_operation",
    title: "Call an operation that changes data",
    description:
      "Calls an operation that creates, changes, sends or deletes something. Returns `status` and `body`, and in `secrets` where " +
      "the body holds a secret. A refusal has `error` instead, with `code`, `reason`, `message` and `details`. To repeat a call " +
      "whose outcome is unknown, pass the same `idempotencyKey` among the operation's arguments.",
    inputSchema: callInput,
    outputSchema: callResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
];
