/**
 * Finds the operation for a method and a path. (docs/specification/conventions.md#order-of-checks)
 */
import findMyWay, { type HTTPMethod } from "find-my-way";
import { receiveHook } from "../../contract/hook-inbox.ts";
import { keyScope } from "../../contract/key-fields.ts";
import type { Operation } from "../../contract/operation.ts";
import { operations, portalOperations } from "../../contract/operations.ts";

type Match =
  | { found: "operation"; operation: Operation; params: Record<string, string> }
  /** The path exists, but not with this method. `nearest` is the path's operation with the smallest scope. */
  | { found: "path"; nearest: Operation; allow: string }
  | { found: "nothing" };

/** @param path below /api/v1, without a query; HEAD matches GET operations */
type Router = (requested: string, path: string) => Match;

type Stored = { operation: Operation };

function makeRouter(routed: readonly Operation[]): Router {
  // A long id is as unknown as a short one. Node limits the length of the request line.
  const router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  const byPath = Map.groupBy(routed, (operation) => operation.path);
  for (const operation of routed) {
    const method = operation.method.toUpperCase() as HTTPMethod;
    router.on(method, operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), () => {}, { operation } satisfies Stored);
  }

  return (requested, path) => {
    const method = requested === "HEAD" ? "GET" : requested;
    const here = find(method, path);
    // A literal path wins over one with a parameter, for every method.
    const exact = byPath.get(path as Operation["path"]);
    if (here && (!exact || here.operation.path === path)) return here;
    if (exact) return onlyPath(exact);
    for (const other of ["GET", "POST", "PATCH", "DELETE"]) {
      const there = find(other, path);
      if (there) return onlyPath(byPath.get(there.operation.path) ?? []);
    }
    return { found: "nothing" };
  };

  function find(method: string, path: string) {
    const result = router.find(method as HTTPMethod, path);
    if (!result?.store) return undefined;
    const { operation } = result.store as Stored;
    const params = result.params as Record<string, string>;
    // An empty parameter is not an id, not even a malformed one: the path is unknown.
    if (Object.values(params).includes("")) return undefined;
    return { found: "operation" as const, operation, params };
  }
}

/** Operations with keys. */
export const match = makeRouter(operations);

/** Operations that are reached over HTTP: of keys, of the portal's pages, and posts to hooks. */
export const matchHttp = makeRouter([...operations, ...portalOperations, receiveHook]);

/** The value of the header Allow. */
export function allowOf(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()])).join(", ");
}

function onlyPath(siblings: readonly Operation[]): Match {
  const [nearest] = siblings.toSorted((a, b) => keyScope.options.indexOf(a.scope) - keyScope.options.indexOf(b.scope));
  if (!nearest) return { found: "nothing" };
  return { found: "path", nearest, allow: allowOf(siblings.map(({ method }) => method)) };
}
