/**
 * What the console shows: the views of schema operator, to be read. Its port is not the API's, and nothing of the API's
 * schemas is in it.
 */
import "postgraphile";
import type { Pool } from "pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

export function consolePreset(pool: Pool): GraphileConfig.Preset {
  return {
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ pool, schemas: ["operator"], pubsub: false })],
    schema: { defaultBehavior: "-insert -update -delete -queryField -mutationField" },
    grafserv: {
      graphqlPath: "/graphql",
      graphiqlPath: "/graphiql",
      graphiqlStaticPath: "/graphiql/static/",
      watch: false,
      websockets: false, // the door is in front of requests, and an upgrade is none
    },
    grafast: { explain: false },
  };
}
