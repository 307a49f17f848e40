/**
 * What the console shows: the views of schema operator, to be read, and the acts of an operator. Its port is not the
 * API's, and nothing of the API's schemas is in it.
 */
import "postgraphile";
import type { Pool } from "pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { type ExecutionArgs, getOperationAST } from "postgraphile/graphql";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { definitionsDigest } from "../database/definitions.ts";
import type { Log } from "../log.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { consoleActs } from "./actions.ts";
import { maskErrors } from "./errors.ts";
import { consoleNaming } from "./naming.ts";
import { consolePages } from "./pages.ts";
import { operatorOf } from "./router.ts";
import { consoleRuru, responseOf } from "./ruru.ts";

export function consolePreset(pool: Pool, master: MasterKey, log: Log): GraphileConfig.Preset {
  const definitions = definitionsDigest(); // those this process was started with, whatever lies on disk later
  return {
    extends: [PostGraphileAmberPreset, consoleNaming, consolePages, consoleActs(master), consoleRuru],
    pgServices: [makePgService({ pool, schemas: ["operator"], pubsub: false })],
    grafserv: {
      graphqlPath: "/graphql",
      graphiqlPath: "/graphiql",
      graphiqlStaticPath: "/graphiql/static/",
      watch: false,
      websockets: false, // the door is in front of requests, and an upgrade is none
      maskError: maskErrors(log),
    },
    grafast: {
      explain: false,
      context: (requestContext, args) => ({ pgSettings: settingsFor(requestContext, args, definitions) }),
    },
  };
}

/**
 * Of every transaction: whose it is, by the digest of what they hold; whether it may write; and which definitions this
 * console was made for, against which the database is asked.
 */
function settingsFor(
  requestContext: object,
  { document, operationName }: ExecutionArgs,
  definitions: string,
): Record<string, string> {
  const { credential } = operatorOf(responseOf(requestContext));
  const reads = getOperationAST(document, operationName)?.operation === "query";
  return {
    ...(reads ? { transaction_read_only: "on" } : {}),
    "caller.operator_credential": credential.toString("hex"),
    "console.definitions": definitions,
  };
}
