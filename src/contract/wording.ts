/**
 * Messages about invalid fields of a request, in place of zod's, which name types of JavaScript. The message of a field
 * has priority.
 */
import { z } from "zod";

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

z.config({ customError: (issue) => wording(issue) });

export function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${kinds[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be ${listed(issue.values)}`;
    case "too_small":
      return `must ${amount(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${amount(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "must not have other fields";
    case "invalid_format":
      return "must have the format that the contract describes";
    default:
      return "must match the contract";
  }
}

/** The bound of a list or text applies to its length. */
function amount(origin: string, bound: string, value: number | bigint): string {
  if (origin === "string") return `have ${bound} ${value} characters`;
  if (["array", "set", "map", "object"].includes(origin)) return `have ${bound} ${value} entries`;
  return `be ${bound} ${value}`;
}

function listed(values: readonly unknown[]): string {
  const last = String(values.at(-1));
  return values.length > 1 ? `${values.slice(0, -1).join(", ")} or ${last}` : last;
}
