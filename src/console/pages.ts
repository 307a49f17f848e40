/**
 * Lists go forward, by pages of a usual size: without one, or with null for one, a list would be all there is.
 */
import "postgraphile";
import { usualPage } from "./bounds.ts";

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
          return { ...others, first: { ...first, type, defaultValue: usualPage } };
        },
      },
    },
  },
};

export const consolePages: GraphileConfig.Preset = { plugins: [PagesPlugin] };
