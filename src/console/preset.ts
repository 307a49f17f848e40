/** How the console executes GraphQL: its connections, its limits, and what each request brings. */
import type { Pool } from "pg";
import { PgContextPlugin } from "postgraphile/@dataplan/pg";
import { makePgService } from "postgraphile/adaptors/pg";
import { type ExecutionArgs, getOperationAST } from "postgraphile/graphql";
import { definitionsDigest } from "../database/definitions.ts";
import type { Log } from "../log.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { maskErrors } from "./errors.ts";
import { operatorOf } from "./router.ts";
import { RuruPolicyPlugin, responseOf } from "./ruru.ts";
import type { SecretSources } from "./secret-actions.ts";

/** @param portalUrl as in SecretSources */
export function consolePreset(pool: Pool, master: MasterKey, portalUrl: string, log: Log): GraphileConfig.Preset {
  const secretSources: SecretSources = { master, portalUrl };
  const definitions = definitionsDigest(); // read once, because files may change during an upgrade
  return {
    plugins: [PgContextPlugin, RuruPolicyPlugin],
    pgServices: [makePgService({ pool, pubsub: false })],
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
