/** Metadata of runs: short pairs of a client, such as the number of its order. (docs/specification/runs.md#metadata) */
import { z } from "zod";
import { text } from "./fields.ts";

const maxPairs = 20;
const key = /^(?!__proto__$)[A-Za-z0-9_.-]{1,40}$/;

/** A detail would repeat the key, so a key is refused without naming it. zod drops `__proto__` silently. */
function faultOf(given: unknown): string | undefined {
  const keys = typeof given === "object" && given !== null ? Object.keys(given) : [];
  if (keys.length > maxPairs) return `must have at most ${maxPairs} pairs`;
  if (keys.some((each) => !key.test(each))) {
    return "must have keys of 1 to 40 letters, digits, underscores, dots and hyphens, and not __proto__";
  }
  return undefined;
}

export const metadata = z.preprocess(
  (given, context) => {
    const message = faultOf(given);
    if (message === undefined) return given;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  },
  z.record(z.string().regex(key), text(0, 500)).meta({ maxProperties: maxPairs }),
);

/** A query parameter of pairs: `metadata[order]=4711`. OpenAPI calls this form deepObject. */
export const isOfPairs = (parameter: unknown): boolean =>
  parameter instanceof z.ZodOptional && parameter.unwrap() === metadata;

export const shownMetadata = z
  .record(z.string(), z.string())
  .meta({ description: "The pairs that `POST /runs` stored with the run. Empty if there are none." });
