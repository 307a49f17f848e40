/**
 * The kinds of field that all resources share. (Part 2, conventions; decisions: section 2, last line.)
 */
import { z } from "zod";
import { ids } from "./examples.ts";

/** Text that Postgres can hold, its length counted in Unicode code points. */
export function text(least: number, most: number) {
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes("\0"), {
      message: "must not contain U+0000 or a lone surrogate",
      abort: true,
    })
    .refine((value) => codePointsWithin(value, least, most), {
      message: least === 0 ? `must have at most ${most} characters` : `must have ${least} to ${most} characters`,
    })
    .meta({ minLength: least, maxLength: most });
}

/** Counts only where the cheap bounds don't decide: a code point is one or two units of UTF-16. */
function codePointsWithin(value: string, least: number, most: number): boolean {
  if (value.length < least || value.length > 2 * most) return false;
  if (value.length <= most && value.length >= 2 * least) return true;
  let count = 0;
  for (const _ of value) count += 1;
  return count >= least && count <= most;
}

export const email = text(3, 254).pipe(z.email("must be an e-mail address")).meta({ format: "email" });

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
      description: "How many rows a page holds.",
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
