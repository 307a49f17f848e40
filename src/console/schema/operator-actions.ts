/**
 * Operator actions as mutations. Most expose a function of sql/operator/actions directly. The actions of
 * secret-actions.ts create a secret and have plans of their own.
 */
import "postgraphile";
import { parse } from "postgraphile/graphql";
import { extendSchema } from "postgraphile/utils";
import { mintKey, resendInvitation, viewAs } from "./secret-actions.ts";

/** Functions that are exposed directly. */
const functions = [
  "set_limit",
  "set_billing",
  "suspend_organisation",
  "lift_suspension",
  "schedule_organisation_deletion",
  "cancel_organisation_deletion",
  "revoke_key",
  "resume_endpoint",
  "disable_endpoint",
  "recover_deliveries",
  "redeliver",
  "cancel_run",
  "release_run",
  "retry_runs",
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
          ? { ...field, description: field.description?.replace(/^Instead of row-level security: .*?\.(?:\s+|$)/, "") }
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

const withSecrets = extendSchema((build) => ({
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
      plans: { mintKey, resendInvitation, viewAs },
    },
  },
}));

/** The GraphQL name of a database enum. */
function nameOfEnum({ input, inflection }: GraphileBuild.Build, name: string): string {
  const codec = Object.values(input.pgRegistry.pgCodecs).find(({ extensions }) => extensions?.pg?.name === name);
  if (!codec) throw new Error(`The schema has no enum ${name}.`);
  return inflection.enumType(codec as never);
}

export const consoleOperatorActions: GraphileConfig.Preset = { plugins: [OperatorActionsPlugin, withSecrets] };
