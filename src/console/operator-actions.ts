/**
 * Operator actions as mutations. Most expose a function of sql/operator/actions directly. Actions that create a secret
 * are implemented here.
 */
import "postgraphile";
import type { PgClient } from "postgraphile/@dataplan/pg";
import { context, object, sideEffect } from "postgraphile/grafast";
import { parse } from "postgraphile/graphql";
import { extendSchema } from "postgraphile/utils";
import type { MasterKey } from "../secrets/master-key.ts";
import { makePortalLink, makeSecret, withMember } from "../secrets/one-time.ts";

/** Functions that are exposed directly. */
const functions = [
  "set_limit",
  "set_billing",
  "suspend_organisation",
  "lift_suspension",
  "revoke_key",
  "resume_endpoint",
  "disable_endpoint",
  "recover_deliveries",
  "redeliver",
  "cancel_run",
  "release_run",
  "answer_approval",
  "erase_subject",
  "restrict_kind",
  "allow_kind",
];

const OperatorActionsPlugin: GraphileConfig.Plugin = {
  name: "ConsoleOperatorActionsPlugin",
  schema: {
    hooks: {
      // A function's comment starts with its check in place of RLS, which API users need not see.
      GraphQLObjectType_fields_field: (field, _build, { scope: { isRootMutation } }) =>
        isRootMutation
          ? { ...field, description: field.description?.replace(/^Instead of row-level security: [^.]*\.\s*/, "") }
          : field,
    },
    entityBehavior: {
      pgResource: {
        override: {
          provides: ["operatorActions"],
          callback: (behavior, resource) =>
            resource.parameters && functions.includes(resource.extensions?.pg?.name ?? "")
              ? [behavior, "mutationField"]
              : behavior,
        },
      },
    },
  },
};

type Input = Record<string, unknown>;
type WithPgClient = <T>(settings: Record<string, string>, callback: (client: PgClient) => Promise<T>) => Promise<T>;

const withSecrets = (master: MasterKey, portalUrl: string) =>
  extendSchema((build) => ({
    typeDefs: parse(`
      """
      A key of an owner or admin, for example if an organisation lost its last key. Only this response contains it.
      """
      input MintKeyInput {
        organisation: UUID!
        person: UUID!
        "1 to 60 characters."
        name: String!
        scope: ${nameOfEnum(build, "key_scope")}!
        "Days until expiry, 1 to 365."
        days: Int!
        "1 to 500 characters."
        reason: String!
      }
      type MintKeyPayload {
        "The key's row as in the API, with the key as its last member."
        result: JSON
      }
      "Sends a new link that is valid for seven days, in the inviter's name. The old link stops working."
      input ResendInvitationInput {
        organisation: UUID!
        invitation: UUID!
        "1 to 500 characters."
        reason: String!
      }
      type ResendInvitationPayload {
        result: JSON
      }
      "A link that opens the portal as a person of the organisation. Read-only, works once, and is logged."
      input ViewAsInput {
        organisation: UUID!
        person: UUID!
        "1 to 500 characters."
        reason: String!
      }
      type ViewAsPayload {
        "The session's row as in the API, with the link as its last member."
        result: JSON
      }
      extend type Mutation {
        mintKey(input: MintKeyInput!): MintKeyPayload
        resendInvitation(input: ResendInvitationInput!): ResendInvitationPayload
        viewAs(input: ViewAsInput!): ViewAsPayload
      }
    `),
    objects: {
      Mutation: {
        plans: {
          mintKey: actionPlan(async (input, query) => {
            const { stored, member } = makeSecret("api-key", master);
            const { organisation, person, name, scope, days, reason } = input;
            const row = await query(
              "select operator.mint_organisation_key($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)::text as answer",
              [organisation, person, name, scope, days, stored.prefix, stored.digest, reason],
            );
            return JSON.parse(withMember(row, member));
          }),
          resendInvitation: actionPlan(async ({ organisation, invitation, reason }, query) => {
            const { stored } = makeSecret("invitation-token", master);
            const row = await query(
              "select operator.resend_invitation_with($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5)::text as answer",
              [organisation, invitation, stored.tokenDigest, stored.tokenSealed, reason],
            );
            return JSON.parse(row);
          }),
          viewAs: actionPlan(async ({ organisation, person, reason }, query) => {
            const { stored, member } = makePortalLink(portalUrl);
            const row = await query("select operator.view_as($1, $2, decode($3, 'hex'), $4)::text as answer", [
              organisation,
              person,
              stored.linkDigest,
              reason,
            ]);
            return JSON.parse(withMember(row, member));
          }),
        },
      },
    },
  }));

/** The GraphQL name of a database enum. */
function nameOfEnum({ input, inflection }: GraphileBuild.Build, name: string): string {
  const codec = Object.values(input.pgRegistry.pgCodecs).find(({ extensions }) => extensions?.pg?.name === name);
  if (!codec) throw new Error(`The schema has no enum ${name}.`);
  return inflection.enumType(codec as never);
}

type Query = (text: string, values: unknown[]) => Promise<string>;

/** A plan that performs the action once, in a transaction that has the operator's credential. */
function actionPlan(perform: (input: Input, query: Query) => Promise<unknown>) {
  // biome-ignore lint/suspicious/noExplicitAny: the types are known only after the schema is built
  return (_root: unknown, fieldArgs: any) => {
    const $result = sideEffect(
      [fieldArgs.getRaw("input"), context().get("withPgClient" as never), context().get("pgSettings" as never)],
      ([input, withPgClient, pgSettings]: readonly unknown[]) =>
        perform(input as Input, async (text, values) => {
          const { rows } = await (withPgClient as WithPgClient)(pgSettings as Record<string, string>, (client) =>
            client.query<{ answer: string }>({ text, values }),
          );
          return rows[0]?.answer ?? "null";
        }),
    );
    return object({ result: $result });
  };
}

/** @param portalUrl address of the portal, without a trailing slash */
export function consoleOperatorActions(master: MasterKey, portalUrl: string): GraphileConfig.Preset {
  return { plugins: [OperatorActionsPlugin, withSecrets(master, portalUrl)] };
}
