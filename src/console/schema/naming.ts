/**
 * GraphQL names of the views of schema operator. Only lookups by id and lists in index order are exposed. Relations are
 * declared beside each view (sql/operator/views).
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

/** Ids are UUIDv7, so the greatest id is the newest. */
const newestFirst = "PRIMARY_KEY_DESC";

const ConsoleNamingPlugin: GraphileConfig.Plugin = {
  name: "ConsoleNamingPlugin",
  inflection: {
    replace: {
      // Without node ids, "id" needs no other name.
      _attributeName(previous, _options, details) {
        return previous?.({ ...details, skipRowId: true }) ?? details.attributeName;
      },
      rowByUnique(previous, _options, details) {
        const [only, ...further] = details.unique.attributes;
        if (only === "id" && further.length === 0) return this.tableFieldName(details.resource);
        return previous?.(details) ?? "";
      },
      allRowsConnection(_previous, _options, resource) {
        return this.camelCase(this.pluralize(resource.name)); // "mail" has no plural to the inflector, "mails" has
      },
      listField: (_previous, _options, name) => name, // each field is either a list or a connection
      _schemaPrefix: () => "",
    },
  },
  schema: {
    entityBehavior: {
      // Single rows are found by id or through a relation.
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
        // An offset reads all skipped rows; a cursor uses the index.
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
      // Few columns have an index for filters or orders. Lists are restricted by their relation and ordered by id.
      "-attribute:filterBy",
      "-attribute:orderBy",
      "-resource:connection:totalCount",
      "-connection:resource:totalCount",
    ].join(" "),
  },
};
