/** Methods and paths of operations, by their ids in docs/openapi.json. */
import { readFileSync } from "node:fs";

type Method = "get" | "post" | "patch" | "delete";

const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
  readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
);
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, { method: method as Method, path }]),
  ),
);

export function addressOf(operationId: string): { method: Method; path: string } {
  const found = operations.get(operationId);
  if (!found) throw new Error(`There is no operation ${operationId}.`);
  return found;
}
