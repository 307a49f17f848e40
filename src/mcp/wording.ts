/** Texts of the contract in the words of an agent, who has operations and arguments instead of paths and headers. (docs/mcp.md) */
import { toolOperations } from "./offered.ts";

const names = new Map([...toolOperations.values()].map(({ name, method, path }) => [`${method} ${path}`, name]));

const headers: Record<string, string> = {
  "Idempotency-Key": "idempotencyKey",
  "If-Match": "ifMatch",
  ETag: "etag",
  "X-Botstead-Reason": "error.reason",
  "Retry-After": "error.retryAfterSeconds",
};
const inText = new RegExp(`\`?\\b(${Object.keys(headers).join("|")})\\b\`?`, "g");

/** Without paragraphs about streams, which no tool returns. */
export function forAgents(text: string): string {
  return text
    .split("\n\n")
    .filter((paragraph) => !paragraph.includes("text/event-stream"))
    .join("\n\n")
    .replaceAll(/`(GET|POST|PATCH|DELETE) (\/[\w/{}-]+)`/g, (whole, method: string, path: string) => {
      const name = names.get(`${method.toLowerCase()} ${path}`);
      return name ? `\`${name}\`` : whole;
    })
    .replaceAll(inText, (_, header: string) => `\`${headers[header]}\``);
}

/** The name of the argument that the path of a detail stands for. */
export function argumentOf(path: string): string {
  const header = /^headers\.(.+)$/.exec(path)?.[1];
  if (header === undefined) return path.replace(/^(?:body|query|path)\./, "");
  const name = Object.keys(headers).find((each) => each.toLowerCase() === header);
  return name ? (headers[name] ?? header) : header;
}
