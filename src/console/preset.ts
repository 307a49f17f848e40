/**
 * What the console shows: the views of schema operator, to be read. Its port is not the API's, and nothing of the API's
 * schemas is in it.
 */
import "postgraphile";
import type { Pool } from "pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { definitionsDigest } from "../database/definitions.ts";
import { consoleNaming } from "./naming.ts";

export function consolePreset(pool: Pool): GraphileConfig.Preset {
  // What the database is asked against: which definitions this console was made for.
  const pgSettings = { "console.definitions": definitionsDigest() };
  return {
    extends: [PostGraphileAmberPreset, consoleNaming],
    pgServices: [makePgService({ pool, schemas: ["operator"], pubsub: false })],
    grafserv: {
      graphqlPath: "/graphql",
      graphiqlPath: "/graphiql",
      graphiqlStaticPath: "/graphiql/static/",
      watch: false,
      websockets: false, // the door is in front of requests, and an upgrade is none
    },
    grafast: { explain: false, context: () => ({ pgSettings }) },
  };
}
