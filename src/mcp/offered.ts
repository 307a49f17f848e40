/** The operations that agents can call. (docs/mcp.md) */
import { keyScope } from "../contract/key-fields.ts";
import type { Operation, Scope } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";

/** Without streams, which are no single answer, and without the batch and imports, whose results a reader cannot bound. */
export const toolOperations: ReadonlyMap<string, Operation> = new Map(
  operations
    .filter(
      ({ keyClass, stream, isBatch, bodyLines }) => keyClass === "organisation" && !stream && !isBatch && !bodyLines,
    )
    .map((operation) => [operation.name, operation]),
);

export function isWithin(scope: Scope, operation: Operation): boolean {
  return keyScope.options.indexOf(operation.scope) <= keyScope.options.indexOf(scope);
}

export function onlyReads({ method }: Operation): boolean {
  return method === "get";
}
