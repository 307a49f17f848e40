/** Lists page forward only, with a default size: without one, a list would return all rows. */
import "postgraphile";
import { defaultPageSize } from "../bounds.ts";

const PagesPlugin: GraphileConfig.Plugin = {
  name: "ConsolePagesPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args: {
        after: ["PgFirstLastBeforeAfterArgsPlugin"],
        callback(args, { graphql: { GraphQLNonNull, getNullableType } }) {
          if (!args.first || !args.after) return args;
          const { last: _last, before: _before, offset: _offset, first, ...others } = args;
          const type = new GraphQLNonNull(getNullableType(first.type));
          return { ...others, first: { ...first, type, defaultValue: defaultPageSize } };
        },
      },
    },
  },
};

export const consolePages: GraphileConfig.Preset = { plugins: [PagesPlugin] };
