/**
 * The kinds of field that all resources share. (docs/specification/conventions.md#formats.)
 */
import { z } from "zod";
import { ids } from "./examples.ts";
import "./wording.ts";

/** Text that Postgres can hold, its length counted in Unicode code points. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes("\0"), {
      message: "must not contain U+0000 or a lone surrogate",
      abort: true,
    })
    .refine((value) => codePointsWithin(value, min, max), {
      message: min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`,
    })
    .meta({ minLength: min, maxLength: max });
}

/** Counts only where the cheap bounds don't decide: a code point is one or two units of UTF-16. */
function codePointsWithin(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length <= max && value.length >= 2 * min) return true;
  let count = 0;
  for (const _ of value) count += 1;
  return count >= min && count <= max;
}

/** An address as we answer it. */
export const emailShown = z.string().meta({ format: "email" });

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID")
  .meta({ format: "uuid" });

/**
 * A time as a caller may write it: ISO 8601 with an offset. It goes on in UTC, because Postgres knows fewer offsets than
 * ISO 8601 has, and within the years that four digits can answer.
 */
export const time = z.iso
  .datetime({ offset: true, abort: true, error: "must be an ISO 8601 time with an offset" })
  .refine(hasFourDigitYear, "must lie in the years 1 to 9999 of UTC")
  .transform((value) => new Date(value).toISOString());

function hasFourDigitYear(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A time as we answer it: ISO 8601, UTC, milliseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: "date-time" });

/** When a rule over some fields can be judged: whatever else is wrong, those are right. */
export function areRight(...names: string[]) {
  return ({ issues, value }: z.core.ParsePayload): boolean =>
    typeof value === "object" &&
    value !== null &&
    !issues.some(({ path = [] }) => path.length === 0 || names.includes(String(path[0])));
}

/** The body of a PATCH: any of the fields, at least one. */
export function changes<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z
    .object(shape)
    .partial()
    .refine((value) => Object.keys(value).length > 0, { message: "must name at least one field that can be changed" });
}

/** What all lists answer: of Key, KeyList. */
export function page<Row extends z.ZodType>(row: Row) {
  const { id, examples } = z.globalRegistry.get(row) ?? {};
  return z
    .object({
      data: z.array(row).meta({ description: "Newest first." }),
      nextCursor: z.string().nullable().meta({ description: "Asks for the next page; null on the last one." }),
    })
    .meta({ ...(id ? { id: `${id}List` } : {}), examples: [{ data: examples ?? [], nextCursor: null }] });
}

/** What all lists take. Query values arrive as text; the document tells of the integer that is meant. */
export const paging = {
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, "must be an integer from 1 to 200")
    .transform(Number)
    .refine((value) => value >= 1 && value <= 200, "must be an integer from 1 to 200")
    .default(50)
    .meta({
      description: "How many rows a page holds at most. A page ends before that at 1 MB.",
      type: "integer",
      minimum: 1,
      maximum: 200,
      pattern: undefined,
    }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "The `nextCursor` of the page before. It belongs to this list and orders it, nothing else." }),
};

export const Deleted = z
  .object({ id: uuid, deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "What is gone.", examples: [{ id: ids.deleted, deleted: true }] });
