/**
 * Filters and orders of lists. A view names them in smart tags (sql/operator/views): `@filters` are columns compared for
 * equality, `@orders` columns for orderBy, `@contains` columns that are searched for a text. Lists with filters also have
 * a range of times. Ids are UUIDv7, so the range is one of ids and uses the index that orders the list.
 *
 * PostGraphile's own conditions and orders cast values to the type of the column. Operators may not enter the schema of
 * these types, so values of enums are compared without a cast and ordered as text.
 */
import "postgraphile";
import {
  isEnumCodec,
  type PgCodec,
  type PgCondition,
  type PgSelectQueryBuilder,
  TYPES,
} from "postgraphile/@dataplan/pg";
import { type SQL, sql } from "postgraphile/pg-sql2";
import { Refusal } from "./refusal.ts";

type Tag = "filters" | "orders" | "contains";

/** Columns that a smart tag of the view names. */
function columnsOf({ extensions }: PgCodec, tag: Tag): string[] {
  const value = (extensions?.tags as Partial<Record<Tag, string>> | undefined)?.[tag];
  return value?.split(",") ?? [];
}

/** A value in the place of missing ones, which the order has separated before. */
function substitute(codec: PgCodec): SQL {
  if (codec === TYPES.timestamptz) return sql`timestamptz 'epoch'`;
  if (codec === TYPES.boolean) return sql`false`;
  return codec === TYPES.text ? sql`''` : sql`0`;
}

/**
 * Missing values come last in both directions. They are an order of their own, because the cursors of PostGraphile 5.1
 * skip rows of an order that has missing values.
 */
function order({ attributes }: PgCodec, name: string, direction: "ASC" | "DESC") {
  const column = attributes?.[name];
  if (!column) throw new Error(`A tag @orders names ${name}, which is no column of its view.`);
  const codec = isEnumCodec(column.codec) ? TYPES.text : column.codec;
  const apply = (list: PgSelectQueryBuilder) => {
    const value = sql`${list.alias}.${sql.identifier(name)}`;
    const known = codec === column.codec ? value : sql`${value}::text`;
    list.orderBy({ fragment: sql`(${value} is null)`, codec: TYPES.boolean, direction: "ASC", nullable: false });
    list.orderBy({ fragment: sql`coalesce(${known}, ${substitute(codec)})`, codec, direction, nullable: false });
  };
  return [`${name.toUpperCase()}_${direction}`, { extensions: { grafast: { apply } } }];
}

type Filter = { name: string; description: string; codec: PgCodec; test: (row: SQL, value: unknown) => SQL };

/** As times.least_id, which operators may not call: the smallest UUIDv7 of a time. */
function leastId(time: unknown): SQL {
  const ms = Date.parse(String(time));
  if (Number.isNaN(ms))
    throw new Refusal("invalid_request", {}, "since and until are times such as 2026-01-31T09:00:00Z");
  const digits = `${Math.max(ms, 0).toString(16).padStart(12, "0")}70008000000000000000`;
  return sql`${sql.value(digits)}::uuid`;
}

function filtersOf(codec: PgCodec): Filter[] {
  const searched = columnsOf(codec, "contains");
  const equal = columnsOf(codec, "filters").map((name): Filter => {
    const column = codec.attributes?.[name];
    if (!column) throw new Error(`A tag @filters names ${name}, which is no column of its view.`);
    return {
      name,
      description: "Rows with this value.",
      codec: column.codec,
      test: (row, value) => sql`${row}.${sql.identifier(name)} = ${sql.value(value as string)}`,
    };
  });
  const range: Filter[] = [
    {
      name: "since",
      description: "Rows made at or after this time.",
      codec: TYPES.timestamptz,
      test: (row, time) => sql`${row}.id >= ${leastId(time)}`,
    },
    {
      name: "until",
      description: "Rows made before this time.",
      codec: TYPES.timestamptz,
      test: (row, time) => sql`${row}.id < ${leastId(time)}`,
    },
  ];
  const contains: Filter = {
    name: "contains",
    description: `Rows with this text in ${searched.join(", ")}, in any case.`,
    codec: TYPES.text,
    test: (row, text) => {
      const columns = searched.map((name) => sql`${row}.${sql.identifier(name)}`);
      return sql`strpos(lower(concat_ws(' ', ${sql.join(columns, ", ")})), lower(${sql.value(text as string)}::text)) > 0`;
    },
  };
  return equal.length + searched.length > 0 ? [...equal, ...range, ...(searched.length > 0 ? [contains] : [])] : [];
}

const ConsoleListsPlugin: GraphileConfig.Plugin = {
  name: "ConsoleListsPlugin",
  schema: {
    hooks: {
      GraphQLEnumType_values(values, build, { scope: { isPgRowSortEnum, pgCodec } }) {
        if (!isPgRowSortEnum || !pgCodec) return values;
        const orders = columnsOf(pgCodec, "orders").flatMap((name) => [
          order(pgCodec, name, "ASC"),
          order(pgCodec, name, "DESC"),
        ]);
        return build.extend(values, Object.fromEntries(orders), `Orders of ${pgCodec.name}`);
      },
      GraphQLInputObjectType_fields(fields, build, { scope: { isPgCondition, pgCodec }, fieldWithHooks }) {
        if (!isPgCondition || !pgCodec) return fields;
        const added = filtersOf(pgCodec).map(({ name, description, codec, test }) => {
          const fieldName = build.inflection.camelCase(name);
          const type = build.getGraphQLTypeByPgCodec(codec, "input");
          if (!type || !build.graphql.isInputType(type)) throw new Error(`The filter ${name} has no type.`);
          const apply = (condition: PgCondition, value: unknown) => {
            if (value != null) condition.where(test(condition.alias, value));
          };
          return [
            fieldName,
            fieldWithHooks({ fieldName, isPgConnectionConditionInputField: true }, { description, type, apply }),
          ];
        });
        return build.extend(fields, Object.fromEntries(added), `Filters of ${pgCodec.name}`);
      },
    },
  },
};

export const consoleLists: GraphileConfig.Preset = { plugins: [ConsoleListsPlugin] };
