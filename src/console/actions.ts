/**
 * The acts of an operator as mutations. Most are functions of schema operator as they are (sql/operator/actions); where a
 * secret is made, or a request of the API is read, Node has a part in it, and that part is here.
 */
import "postgraphile";
import type { PgClient } from "postgraphile/@dataplan/pg";
import { context, object, sideEffect } from "postgraphile/grafast";
import { parse } from "postgraphile/graphql";
import { extendSchema } from "postgraphile/utils";
import { makeSecret, withMember } from "../http/secrets.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { readAs } from "./view-as.ts";

/** Functions that are mutations as they are. */
const acts = [
  "set_limit",
  "set_billing",
  "suspend_organisation",
  "lift_suspension",
  "revoke_key",
  "resume_endpoint",
  "disable_endpoint",
  "recover_deliveries",
  "cancel_run",
  "release_run",
  "answer_card",
  "erase_subject",
  "restrict_kind",
  "allow_kind",
];

const ActsPlugin: GraphileConfig.Plugin = {
  name: "ConsoleActsPlugin",
  schema: {
    hooks: {
      // A function's comment says first what stands in place of row-level security: that is for whoever reads the database.
      GraphQLObjectType_fields_field: (field, _build, { scope: { isRootMutation } }) =>
        isRootMutation
          ? { ...field, description: field.description?.replace(/^Instead of row-level security: [^.]*\.\s*/, "") }
          : field,
    },
    entityBehavior: {
      pgResource: {
        override: {
          provides: ["acts"],
          callback: (behavior, resource) =>
            resource.parameters && acts.includes(resource.extensions?.pg?.name ?? "")
              ? [behavior, "mutationField"]
              : behavior,
        },
      },
    },
  },
};

type Input = Record<string, unknown>;
type WithPgClient = <T>(settings: Record<string, string>, callback: (client: PgClient) => Promise<T>) => Promise<T>;

const withSecrets = (master: MasterKey) =>
  extendSchema((build) => ({
    typeDefs: parse(`
      """
      A key bound to an owner or admin, as for an organisation that has lost its last. It is shown in this answer alone.
      """
      input MintKeyInput {
        organisation: UUID!
        person: UUID!
        "1 to 60 characters."
        name: String!
        scope: ${nameOfEnum(build, "key_scope")}!
        "Its life, 1 to 365."
        days: Int!
        "1 to 500 characters."
        reason: String!
      }
      type MintKeyPayload {
        "The key's row as the API shows it, with the key as its last member."
        result: JSON
      }
      "A new link and seven days more, in the name of whoever invited; the link of before leads nowhere."
      input ResendInvitationInput {
        organisation: UUID!
        invitation: UUID!
        "1 to 500 characters."
        reason: String!
      }
      type ResendInvitationPayload {
        result: JSON
      }
      "What the API answers to a person of the organisation: written down, and otherwise read-only."
      input ViewAsInput {
        organisation: UUID!
        person: UUID!
        "What is asked for, below /api/v1, with its query: /memories?limit=10."
        path: String!
        "1 to 500 characters."
        reason: String!
      }
      type ViewAsPayload {
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
          mintKey: performed(async (input, ask) => {
            const { stored, member } = makeSecret("api-key", master);
            const { organisation, person, name, scope, days, reason } = input;
            const row = await ask(
              "select operator.mint_organisation_key($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)::text as answer",
              [organisation, person, name, scope, days, stored.prefix, stored.digest, reason],
            );
            return JSON.parse(withMember(row, member));
          }),
          resendInvitation: performed(async ({ organisation, invitation, reason }, ask) => {
            const { stored } = makeSecret("invitation-token", master);
            const row = await ask(
              "select operator.resend_invitation_with($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5)::text as answer",
              [organisation, invitation, stored.tokenDigest, stored.tokenSealed, reason],
            );
            return JSON.parse(row);
          }),
          viewAs: performed(async ({ organisation, person, path, reason }, ask) => {
            const { operation, input } = readAs(String(path));
            const body = await ask("select operator.view_as($1, $2, $3, $4, $5, $6) as answer", [
              organisation,
              person,
              operation.name,
              JSON.stringify(input),
              path,
              reason,
            ]);
            return JSON.parse(body);
          }),
        },
      },
    },
  }));

/** An enum of the database, as the schema happens to name it. */
function nameOfEnum({ input, inflection }: GraphileBuild.Build, name: string): string {
  const codec = Object.values(input.pgRegistry.pgCodecs).find(({ extensions }) => extensions?.pg?.name === name);
  if (!codec) throw new Error(`The schema knows no ${name}.`);
  return inflection.enumType(codec as never);
}

type Ask = (text: string, values: unknown[]) => Promise<string>;

/** A plan that does the act once, in a transaction that presents the operator. */
function performed(act: (input: Input, ask: Ask) => Promise<unknown>) {
  // biome-ignore lint/suspicious/noExplicitAny: the plans of a schema that is only known once it is built
  return (_root: unknown, fieldArgs: any) => {
    const $result = sideEffect(
      [fieldArgs.getRaw("input"), context().get("withPgClient" as never), context().get("pgSettings" as never)],
      ([input, withPgClient, pgSettings]: readonly unknown[]) =>
        act(input as Input, async (text, values) => {
          const { rows } = await (withPgClient as WithPgClient)(pgSettings as Record<string, string>, (client) =>
            client.query<{ answer: string }>({ text, values }),
          );
          return rows[0]?.answer ?? "null";
        }),
    );
    return object({ result: $result });
  };
}

export function consoleActs(master: MasterKey): GraphileConfig.Preset {
  return { plugins: [ActsPlugin, withSecrets(master)] };
}
