/** Fields that all resources share. (docs/specification/conventions.md#formats) */
import { z } from "zod";
import { ids } from "./examples.ts";
import "./wording.ts";

/** For refinements: PostgreSQL can store the text. */
export const storable = [
  (value: string) => value.isWellFormed() && !value.includes("\0"),
  { message: "must not contain U+0000 or a lone surrogate", abort: true },
] as const;

/** Text that PostgreSQL can store. The length is counted in Unicode code points. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine(...storable)
    .refine((value) => codePointsWithin(value, min, max), {
      message: min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`,
    })
    .meta({ minLength: min, maxLength: max });
}

/** Counts only if the number of UTF-16 units leaves the result open: a code point has one or two of them. */
function codePointsWithin(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length <= max && value.length >= 2 * min) return true;
  let count = 0;
  for (const _ of value) count += 1;
  return count >= min && count <= max;
}

/** An e-mail address in a response. */
export const emailShown = z.string().meta({ format: "email" });

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID")
  .meta({ format: "uuid" });

/**
 * A time in a request: ISO 8601 with an offset. It is converted to UTC, because PostgreSQL accepts fewer offsets than
 * ISO 8601, and limited to years of four digits, because responses have four.
 */
export const time = z.iso
  .datetime({ offset: true, abort: true, error: "must be an ISO 8601 time with an offset" })
  .refine(hasFourDigitYear, "must be in the years 1 to 9999 (UTC)")
  .transform((value) => new Date(value).toISOString());

function hasFourDigitYear(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A time in a response: ISO 8601, UTC, milliseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: "date-time" });

/** Of an endpoint or a hook. @param effect what happens meanwhile */
export const secretLostSince = (effect: string) =>
  timestamp.nullable().meta({
    description: `Time since which the service cannot open the signing secret. ${effect} until the secret is rotated. Null: it can.`,
  });

/** Condition of a rule over several fields: true if each of them is valid by itself. */
export function areRight(...names: string[]) {
  return ({ issues, value }: z.core.ParsePayload): boolean =>
    typeof value === "object" &&
    value !== null &&
    !issues.some(({ path = [] }) => path.length === 0 || names.includes(String(path[0])));
}

/** The body of a PATCH: all fields optional, at least one present. */
export function changes<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z
    .object(shape)
    .partial()
    .refine((value) => Object.keys(value).length > 0, { message: "must have at least one field that can be changed" });
}

/** The response of a list. For rows with the id Key, the id is KeyList. */
export function page<Row extends z.ZodType>(row: Row) {
  const { id, examples } = z.globalRegistry.get(row) ?? {};
  return z
    .object({
      data: z.array(row).meta({ description: "Newest first." }),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: "Pass it as `cursor` to read the next page. Null on the last page." }),
    })
    .meta({ ...(id ? { id: `${id}List` } : {}), examples: [{ data: examples ?? [], nextCursor: null }] });
}

/**
 * Query parameters of every list. Query values are strings; the document shows `limit` as the integer that it contains.
 */
export const paging = {
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, "must be an integer from 1 to 200")
    .transform(Number)
    .refine((value) => value >= 1 && value <= 200, "must be an integer from 1 to 200")
    .default(50)
    .meta({
      description: "Maximum number of rows in a page. A page also ends at 1 MB.",
      type: "integer",
      minimum: 1,
      maximum: 200,
      pattern: undefined,
    }),
  cursor: z.string().optional().meta({ description: "The `nextCursor` of the previous page of this list." }),
};

/** Query parameters of lists that filter by the time of creation. */
export function createdWithin(rows: string) {
  return {
    since: time.optional().meta({ description: `Returns only ${rows} created at or after this time.` }),
    until: time.optional().meta({ description: `Returns only ${rows} created before this time.` }),
  };
}

export const Deleted = z
  .object({ id: uuid, deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "A deleted resource.", examples: [{ id: ids.deleted, deleted: true }] });
