/**
 * Plans of the operator actions that create a secret. Only the process that serves the request makes it, so it is in no
 * statement and no log.
 */
import type { PgClient } from "postgraphile/@dataplan/pg";
import { context, object, sideEffect } from "postgraphile/grafast";
import type { MasterKey } from "../../secrets/master-key.ts";
import { makePortalLink, makeSecret, withMember } from "../../secrets/one-time.ts";

/** What the plans need of the process, in the GraphQL context. */
export type SecretSources = {
  master: MasterKey;
  /** Address of the portal, without a trailing slash. */
  portalUrl: string;
};

export const mintKey = actionPlan(async ({ organisation, person, name, scope, days, reason }, query, { master }) => {
  const { stored, member } = makeSecret("api-key", master);
  const row = await query(
    "select operator.mint_organisation_key($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)::text as answer",
    [organisation, person, name, scope, days, stored.prefix, stored.digest, reason],
  );
  return JSON.parse(withMember(row, member));
});

export const resendInvitation = actionPlan(async ({ organisation, invitation, reason }, query, { master }) => {
  const { stored } = makeSecret("invitation-token", master);
  const row = await query(
    "select operator.resend_invitation_with($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5)::text as answer",
    [organisation, invitation, stored.tokenDigest, stored.tokenSealed, reason],
  );
  return JSON.parse(row);
});

export const viewAs = actionPlan(async ({ organisation, person, reason }, query, { portalUrl }) => {
  const { stored, member } = makePortalLink(portalUrl);
  const row = await query("select operator.view_as($1, $2, decode($3, 'hex'), $4)::text as answer", [
    organisation,
    person,
    stored.linkDigest,
    reason,
  ]);
  return JSON.parse(withMember(row, member));
});

type Input = Record<string, unknown>;
type Query = (text: string, values: unknown[]) => Promise<string>;
type WithPgClient = <T>(settings: Record<string, string>, callback: (client: PgClient) => Promise<T>) => Promise<T>;

/** A plan that performs the action once, in a transaction that has the operator's credential. */
function actionPlan(perform: (input: Input, query: Query, sources: SecretSources) => Promise<unknown>) {
  // biome-ignore lint/suspicious/noExplicitAny: the types are known only after the schema is built
  return (_root: unknown, fieldArgs: any) => {
    const ofContext = (name: string) => context().get(name as never);
    const $result = sideEffect(
      [fieldArgs.getRaw("input"), ofContext("withPgClient"), ofContext("pgSettings"), ofContext("secretSources")],
      ([input, withPgClient, pgSettings, sources]: readonly unknown[]) =>
        perform(
          input as Input,
          async (text, values) => {
            const { rows } = await (withPgClient as WithPgClient)(pgSettings as Record<string, string>, (client) =>
              client.query<{ answer: string }>({ text, values }),
            );
            return rows[0]?.answer ?? "null";
          },
          sources as SecretSources,
        ),
    );
    return object({ result: $result });
  };
}
