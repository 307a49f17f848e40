/**
 * Filters and orders of lists, as SQL.
 *
 * PostGraphile's own conditions and orders cast values to the type of the column. Operators may not enter the schema of
 * these types, so values of enums are compared without a cast and ordered as text.
 */
import { type PgCodec, type PgCondition, type PgSelectQueryBuilder, TYPES } from "postgraphile/@dataplan/pg";
import { type SQL, sql } from "postgraphile/pg-sql2";
import { Refusal } from "../refusal.ts";

/**
 * Missing values come last in both directions. They are an order of their own, because the cursors of PostGraphile 5.1
 * skip rows of an order that has missing values.
 */
export function orderBy(name: string, codec: PgCodec, isEnum: boolean, direction: "ASC" | "DESC") {
  return (list: PgSelectQueryBuilder): void => {
    const value = sql`${list.alias}.${sql.identifier(name)}`;
    const known = isEnum ? sql`${value}::text` : value;
    list.orderBy({ fragment: sql`(${value} is null)`, codec: TYPES.boolean, direction: "ASC", nullable: false });
    list.orderBy({ fragment: sql`coalesce(${known}, ${substitute(codec)})`, codec, direction, nullable: false });
  };
}

/** A value in the place of missing ones, which the order has separated before. */
function substitute(codec: PgCodec): SQL {
  if (codec === TYPES.timestamptz) return sql`timestamptz 'epoch'`;
  if (codec === TYPES.boolean) return sql`false`;
  return codec === TYPES.text ? sql`''` : sql`0`;
}

type Filter = (condition: PgCondition, value: unknown) => void;

const filter =
  (test: (row: SQL, value: unknown) => SQL): Filter =>
  (condition, value) => {
    if (value != null) condition.where(test(condition.alias, value));
  };

export const equals = (name: string): Filter =>
  filter((row, value) => sql`${row}.${sql.identifier(name)} = ${sql.value(value as string)}`);

export const contains = (columns: string[]): Filter =>
  filter((row, text) => {
    const values = columns.map((name) => sql`${row}.${sql.identifier(name)}`);
    return sql`strpos(lower(concat_ws(' ', ${sql.join(values, ", ")})), lower(${sql.value(text as string)}::text)) > 0`;
  });

export const since: Filter = filter((row, time) => sql`${row}.id >= ${leastId(time)}`);
export const until: Filter = filter((row, time) => sql`${row}.id < ${leastId(time)}`);

/** As times.least_id, which operators may not call: the smallest UUIDv7 of a time. */
function leastId(time: unknown): SQL {
  const ms = Date.parse(String(time));
  if (Number.isNaN(ms))
    throw new Refusal("invalid_request", {}, "since and until are times such as 2026-01-31T09:00:00Z");
  const digits = `${Math.max(ms, 0).toString(16).padStart(12, "0")}70008000000000000000`;
  return sql`${sql.value(digits)}::uuid`;
}
