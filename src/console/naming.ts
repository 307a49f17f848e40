/**
 * How the views of schema operator are named in GraphQL, and what of them is there at all: a row by its id, and lists
 * that an index orders. What leads where is said beside each view (sql/operator/views).
 */
import "postgraphile";

const withoutNodes = [
  "QueryQueryPlugin",
  "NodePlugin",
  "RegisterQueryNodePlugin",
  "AddNodeInterfaceToSuitableTypesPlugin",
  "NodeIdCodecBase64JSONPlugin",
  "NodeIdCodecPipeStringPlugin",
  "NodeAccessorPlugin",
  "PgTableNodePlugin",
  "PgNodeIdAttributesPlugin",
];

/** Rows have ids that tell their time, so the greatest is the newest. */
const newestFirst = "PRIMARY_KEY_DESC";

const ConsoleNamingPlugin: GraphileConfig.Plugin = {
  name: "ConsoleNamingPlugin",
  inflection: {
    replace: {
      // There are no node ids for it to be told apart from.
      _attributeName(previous, _options, details) {
        return previous?.({ ...details, skipRowId: true }) ?? details.attributeName;
      },
      rowByUnique(previous, _options, details) {
        const [only, ...further] = details.unique.attributes;
        if (only === "id" && further.length === 0) return this.tableFieldName(details.resource);
        return previous?.(details) ?? "";
      },
      allRowsConnection(_previous, _options, resource) {
        return this.camelCase(this.pluralize(this._singularizedResourceName(resource)));
      },
      listField: (_previous, _options, name) => name, // a list or a connection, never both
      _schemaPrefix: () => "",
    },
  },
  schema: {
    entityBehavior: {
      // One row is asked for by its id, or is reached from another.
      pgResourceUnique: {
        override: {
          provides: ["console"],
          callback: (behavior, [, { attributes }]) =>
            attributes.join() === "id" ? behavior : [behavior, "-query:resource:single"],
        },
      },
    },
    hooks: {
      GraphQLObjectType_fields_field_args: {
        after: ["PgFirstLastBeforeAfterArgsPlugin", "PgConnectionArgOrderByDefaultValuePlugin"],
        // To skip rows they have to be read; a cursor leads to the next page by the index.
        callback({ offset: _, ...args }) {
          return args;
        },
      },
      GraphQLObjectType_fields_field_args_arg: {
        after: ["PgConnectionArgOrderByDefaultValuePlugin"],
        callback(arg, build, { scope: { argName, isPgFieldConnection, pgFieldResource } }) {
          if (argName !== "orderBy" || !isPgFieldConnection || !pgFieldResource?.codec.attributes?.id) return arg;
          const orders = build.getTypeByName(
            build.inflection.orderByType(build.inflection.tableType(pgFieldResource.codec)),
          );
          const order = orders instanceof build.graphql.GraphQLEnumType && orders.getValue(newestFirst);
          return order ? { ...arg, defaultValue: [order.value] } : arg;
        },
      },
    },
  },
};

export const consoleNaming: GraphileConfig.Preset = {
  plugins: [ConsoleNamingPlugin],
  disablePlugins: withoutNodes,
  schema: {
    defaultBehavior: [
      "-insert -update -delete -queryField -mutationField",
      "-query:resource:list",
      "-query:resource:connection",
      // Conditions and orders by columns: few are indexed. Lists are narrowed by where they begin, and ordered by id.
      "-attribute:filterBy",
      "-attribute:orderBy",
      "-resource:connection:totalCount",
      "-connection:resource:totalCount",
    ].join(" "),
  },
};
