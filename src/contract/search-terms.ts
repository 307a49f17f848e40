/** Words that people use for an operation, for the searches of agents and of `/docs`. */
import type { Operation } from "./operation.ts";

/** Other words for the first word of a name. */
const verbs: Record<string, string> = {
  list: "all, show, find, browse",
  get: "show, view, details, look up, check",
  create: "new, add, make, set up",
  update: "change, edit, modify",
  rename: "change, edit, modify, update",
  change: "edit, modify, set, update",
  delete: "remove",
  revoke: "end, cancel",
};

export function searchTermsOf({ name, searchTerms }: Pick<Operation, "name" | "searchTerms">): string {
  const verb = verbs[name.slice(0, name.indexOf("_"))];
  return [searchTerms, verb].filter(Boolean).join(", ");
}
