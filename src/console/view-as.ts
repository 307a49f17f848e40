/** Parses the path of a viewAs action with the API's contract, so that SQL gets the same input as from the API. */
import type { Operation } from "../contract/operation.ts";
import { bodyOf } from "../request/body.ts";
import { match } from "../request/router.ts";
import { splitTarget } from "../request/target.ts";
import { validateInput } from "../request/validation.ts";
import { Refusal } from "./refusal.ts";

const noUrlsAllowed = { allowed: { ranges: [], hosts: [] } };

/** A path with query: starts with one slash and cannot be a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
const localPath = /^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/;

/** @throws Refusal if the target is not a GET operation of the API, or its query is invalid */
export function parseViewAs(target: string): { operation: Operation; input: Record<string, unknown> } {
  if (!localPath.test(target)) throw new Refusal("not_found");
  const { path, query } = splitTarget(target);
  const matched = match("GET", path);
  if (matched.found !== "operation") throw new Refusal("not_found");
  const { operation, params } = matched;
  if (operation.keyClass !== "organisation" || operation.stream) throw new Refusal("not_found");
  const { input, problem } = validateInput(
    {
      operation,
      params,
      path,
      query,
      body: bodyOf({}),
      idempotencyKey: undefined,
    },
    noUrlsAllowed,
  );
  if (problem) throw new Refusal(problem.code, {}, undefined, problem.details);
  return { operation, input };
}
