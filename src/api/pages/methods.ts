/** Methods of routes that are no operations. (Methods of operations: router.ts) */
import type { RequestHandler } from "express";
import type { Method } from "../../contract/operation.ts";
import { allowOf } from "../stages/match.ts";

/** Add it after the handlers of a path: app.ts answers every other method with 405 and `Allow`. */
export function only(...methods: Method[]): RequestHandler {
  return (_request, _response, next) => next({ status: 405, allow: allowOf(methods) });
}
