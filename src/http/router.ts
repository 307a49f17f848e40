/**
 * Which operation a method and a path mean. (Part 4.)
 */
import findMyWay, { type HTTPMethod } from "find-my-way";
import type { Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";

export type Match =
  | { found: "operation"; operation: Operation; params: Record<string, string> }
  /** The path is there, the method is not. `nearest` is its operation of the least scope: who may see the path at all. */
  | { found: "path"; nearest: Operation; allow: string }
  | { found: "nothing" };

type Stored = { operation: Operation };

const scopes = ["read", "write", "admin"];
const router = findMyWay({ maxParamLength: 200 });
const byPath = Map.groupBy(operations, (operation) => operation.path);
for (const operation of operations) {
  const method = operation.method.toUpperCase() as HTTPMethod;
  router.on(method, operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), () => {}, { operation } satisfies Stored);
}

/** @param path below /api/v1, without a query */
export function match(method: string, path: string): Match {
  const here = find(method, path);
  // A path that is written out goes before one with a parameter in its place, whatever the method.
  const exact = byPath.get(path as Operation["path"]);
  if (here && (!exact || here.operation.path === path)) return here;
  if (exact) return onlyPath(exact);
  for (const other of ["GET", "POST", "PATCH", "DELETE"]) {
    const there = find(other, path);
    if (there) return onlyPath(byPath.get(there.operation.path) ?? []);
  }
  return { found: "nothing" };
}

function onlyPath(siblings: Operation[]): Match {
  const [nearest] = siblings.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope));
  if (!nearest) return { found: "nothing" };
  return { found: "path", nearest, allow: siblings.map((sibling) => sibling.method.toUpperCase()).join(", ") };
}

function find(method: string, path: string) {
  const result = router.find(method as HTTPMethod, path);
  if (!result?.store) return undefined;
  const { operation } = result.store as Stored;
  const params = result.params as Record<string, string>;
  // An empty part of a path is no id, however malformed: the path is unknown.
  if (Object.values(params).includes("")) return undefined;
  return { found: "operation" as const, operation, params };
}
