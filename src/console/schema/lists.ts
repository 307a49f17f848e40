/**
 * Filters and orders of lists. A view names them in smart tags (sql/operator/views): `@filters` are columns compared for
 * equality, `@orders` columns for orderBy, `@contains` columns that are searched for a text. Lists with filters also have
 * a range of times. Ids are UUIDv7, so the range is one of ids and uses the index that orders the list.
 */
import "postgraphile";
import { isEnumCodec, type PgCodec, type PgCondition, TYPES } from "postgraphile/@dataplan/pg";
import { contains, equals, orderBy, since, until } from "./list-plans.ts";

type Tag = "filters" | "orders" | "contains";

/** Columns that a smart tag of the view names. */
function columnsOf({ extensions }: PgCodec, tag: Tag): string[] {
  const value = (extensions?.tags as Partial<Record<Tag, string>> | undefined)?.[tag];
  return value?.split(",") ?? [];
}

function order({ attributes }: PgCodec, name: string, direction: "ASC" | "DESC") {
  const column = attributes?.[name];
  if (!column) throw new Error(`A tag @orders names ${name}, which is no column of its view.`);
  const isEnum = isEnumCodec(column.codec);
  const codec = isEnum ? TYPES.text : column.codec;
  const apply = orderBy(name, codec, isEnum, direction);
  return [`${name.toUpperCase()}_${direction}`, { extensions: { grafast: { apply } } }];
}

type Filter = { name: string; description: string; codec: PgCodec; apply: (row: PgCondition, value: unknown) => void };

function filtersOf(codec: PgCodec): Filter[] {
  const searched = columnsOf(codec, "contains");
  const equal = columnsOf(codec, "filters").map((name): Filter => {
    const column = codec.attributes?.[name];
    if (!column) throw new Error(`A tag @filters names ${name}, which is no column of its view.`);
    return {
      name,
      description: "Rows with this value.",
      codec: column.codec,
      apply: equals(name),
    };
  });
  const { timestamptz } = TYPES;
  const range: Filter[] = [
    { name: "since", description: "Rows made at or after this time.", codec: timestamptz, apply: since },
    { name: "until", description: "Rows made before this time.", codec: timestamptz, apply: until },
  ];
  const text: Filter = {
    name: "contains",
    description: `Rows with this text in ${searched.join(", ")}, in any case.`,
    codec: TYPES.text,
    apply: contains(searched),
  };
  return equal.length + searched.length > 0 ? [...equal, ...range, ...(searched.length > 0 ? [text] : [])] : [];
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
        const added = filtersOf(pgCodec).map(({ name, description, codec, apply }) => {
          const fieldName = build.inflection.camelCase(name);
          const type = build.getGraphQLTypeByPgCodec(codec, "input");
          if (!type || !build.graphql.isInputType(type)) throw new Error(`The filter ${name} has no type.`);
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
