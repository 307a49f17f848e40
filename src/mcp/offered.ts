/** The operations that agents can call. (docs/mcp.md) */
import { keyScope } from "../contract/key-fields.ts";
import type { Operation, Scope } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";

/**
 * Without streams, which are no single answer, and without the batch, imports and exports, whose results a reader cannot bound. An
 * export is a person's: an agent has no use for all content of an organisation.
 */
export const toolOperations: ReadonlyMap<string, Operation> = new Map(
  operations
    .filter(
      ({ keyClass, stream, isBatch, bodyLines, path }) =>
        keyClass === "organisation" && !stream && !isBatch && !bodyLines && !path.startsWith("/exports"),
    )
    .map((operation) => [operation.name, operation]),
);

export function isWithin(scope: Scope, operation: Operation): boolean {
  return keyScope.options.indexOf(operation.scope) <= keyScope.options.indexOf(scope);
}

export function onlyReads({ method }: Operation): boolean {
  return method === "get";
}
