import type { GraphQLSchema } from "postgraphile/graphql";

export declare const schema: GraphQLSchema;
