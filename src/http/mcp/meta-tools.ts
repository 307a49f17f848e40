/** The tools that find and call operations: three instead of seventy, because an agent reads all of them first. */
const text = (description: string) => ({ type: "string", description });

export const metaTools = [
  {
    name: "search_operations",
    title: "Search operations",
    description: "Finds operations of this organisation's API that the key may call, by words such as `start run`.",
    inputSchema: {
      type: "object" as const,
      properties: { query: text("Words of the name or the description. Empty: all operations.") },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "describe_operation",
    title: "Describe an operation",
    description: "Returns what an operation does, its arguments as a JSON Schema, and how it can be refused.",
    inputSchema: {
      type: "object" as const,
      properties: { name: text("Name of the operation, as search_operations returns it.") },
      required: ["name"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "call_operation",
    title: "Call an operation",
    description:
      "Calls an operation and returns the status and the body of its response. A refusal has `body.error` with a code, " +
      "and for invalid arguments the details.",
    inputSchema: {
      type: "object" as const,
      properties: {
        name: text("Name of the operation, as search_operations returns it."),
        arguments: {
          type: "object",
          description: "Path parameters, query parameters and fields of the body, as describe_operation names them.",
        },
      },
      required: ["name"],
    },
    annotations: { readOnlyHint: false },
  },
];
