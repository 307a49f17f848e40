/** PostGraphile preset of the console: the views of schema operator for queries, operator actions for mutations. */
import "postgraphile";
import type { Pool } from "pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { type ExecutionArgs, getOperationAST } from "postgraphile/graphql";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { definitionsDigest } from "../database/definitions.ts";
import type { Log } from "../log.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { maskErrors } from "./errors.ts";
import { introspectOnly } from "./introspection.ts";
import { consoleLists } from "./lists.ts";
import { consoleNaming } from "./naming.ts";
import { consoleOperatorActions } from "./operator-actions.ts";
import { consolePages } from "./pages.ts";
import { operatorOf } from "./router.ts";
import { consoleRuru, responseOf } from "./ruru.ts";

/** @param portalUrl as in consoleOperatorActions */
export function consolePreset(pool: Pool, master: MasterKey, portalUrl: string, log: Log): GraphileConfig.Preset {
  const definitions = definitionsDigest(); // read once, because files may change during an upgrade
  return {
    extends: [
      PostGraphileAmberPreset,
      consoleNaming,
      consoleLists,
      consolePages,
      consoleOperatorActions(master, portalUrl),
      consoleRuru,
    ],
    pgServices: [introspectOnly("operator", makePgService({ pool, schemas: ["operator"], pubsub: false }))],
    grafserv: {
      graphqlPath: "/graphql",
      graphiqlPath: "/graphiql",
      graphiqlStaticPath: "/graphiql/static/",
      watch: false,
      websockets: false, // authentication covers requests, not upgrades
      maskError: maskErrors(log),
    },
    grafast: {
      explain: false,
      context: (requestContext, args) => ({ pgSettings: settingsFor(requestContext, args, definitions) }),
    },
  };
}

/** Settings of each transaction: the operator's credential, read-only for queries, and this console's definitions. */
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
