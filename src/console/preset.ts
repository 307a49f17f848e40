/** PostGraphile preset of the console: the views of schema operator for queries, operator actions for mutations. */
import type { Pool } from "pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { type ExecutionArgs, getOperationAST } from "postgraphile/graphql";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import type { Log } from "../log.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { maskErrors } from "./errors.ts";
import { operatorOf } from "./router.ts";
import { RuruPolicyPlugin, responseOf } from "./ruru.ts";
import { consoleLists } from "./schema/lists.ts";
import { consoleNaming } from "./schema/naming.ts";
import { consoleOperatorActions } from "./schema/operator-actions.ts";
import { consolePages } from "./schema/pages.ts";
import type { SecretSources } from "./schema/secret-actions.ts";

/**
 * @param portalUrl as in SecretSources
 * @param definitions digest of this version's SQL definitions
 */
export function consolePreset(
  pool: Pool,
  master: MasterKey,
  portalUrl: string,
  definitions: string,
  log: Log,
): GraphileConfig.Preset {
  const secretSources: SecretSources = { master, portalUrl };
  return {
    extends: [PostGraphileAmberPreset, consoleNaming, consoleLists, consolePages, consoleOperatorActions],
    plugins: [RuruPolicyPlugin],
    pgServices: [makePgService({ pool, schemas: ["operator"], pubsub: false })],
    grafserv: {
      graphqlPath: "/graphql",
      graphiqlPath: "/graphiql/editor", // the page of the console at /graphiql has it in a frame
      graphiqlStaticPath: "/graphiql/static/",
      watch: false,
      websockets: false, // authentication covers requests, not upgrades
      maskError: maskErrors(log),
    },
    grafast: {
      explain: false,
      context: (requestContext, args) => ({
        pgSettings: settingsFor(requestContext, args, definitions),
        secretSources,
      }),
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
