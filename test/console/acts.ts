/** The acts of an operator as data: what each is given, and the row by which it is seen to be done. */
import type { Seeded } from "../sql/seed.ts";
import type { TestDatabase } from "../support/database.ts";

export type Act = {
  /** What the mutation is given, beside the organisation and the reason. */
  input?: (seeded: Seeded) => object;
  /** What has to be so before. */
  before?: string;
  /** A query of one value, which the act changes. Parameters by name, as ids of the seed. */
  seen: string;
  /** What that value is afterwards. */
  becomes: unknown;
  /** What the same act answers a second time, where it is not the same once more. */
  again?: string;
  /** It changes no row of the organisation, so the trail tells nothing of it. */
  onlyLooks?: true;
};

const soon = new Date(Date.now() + 86_400_000).toISOString();

export const acts: Record<string, Act> = {
  setLimit: {
    input: () => ({ ceiling: "seat_ceiling", value: "7" }),
    seen: "select seat_ceiling from app.organisations where id = :organisation",
    becomes: 7,
  },
  setBilling: {
    input: () => ({ state: "trial", trialEndsAt: soon, seatsBought: 3 }),
    seen: "select billing_state::text || seats_bought from app.organisations where id = :organisation",
    becomes: "trial3",
  },
  suspendOrganisation: {
    seen: "select suspended_at is not null from app.organisations where id = :organisation",
    becomes: true,
  },
  liftSuspension: {
    before: "update app.organisations set suspended_at = now() where id = :organisation",
    seen: "select suspended_at is null from app.organisations where id = :organisation",
    becomes: true,
  },
  revokeKey: {
    input: ({ keys }) => ({ key: keys.write.id }),
    seen: `select count(*)::int from app.api_keys
      where organisation_id = :organisation and scope = 'write' and revoked_at is not null`,
    becomes: 1,
  },
  mintKey: {
    input: ({ owner }) => ({ person: owner, name: "Minted here", scope: "admin", days: 2 }),
    seen: "select count(*)::int from app.api_keys where organisation_id = :organisation and name = 'Minted here'",
    becomes: 1,
  },
  resumeEndpoint: {
    input: ({ ids }) => ({ endpoint: ids.endpoint }),
    before: `update app.webhook_endpoints set state = 'disabled', disabled_reason = 'gone', disabled_at = now()
      where id = :endpoint`,
    seen: "select state || ' ' || coalesce(disabled_reason::text, '') from app.webhook_endpoints where id = :endpoint",
    becomes: "active ",
  },
  disableEndpoint: {
    input: ({ ids }) => ({ endpoint: ids.endpoint }),
    seen: "select state || ' ' || coalesce(disabled_reason::text, '') from app.webhook_endpoints where id = :endpoint",
    becomes: "disabled operator",
  },
  recoverDeliveries: {
    input: ({ ids }) => ({
      endpoint: ids.endpoint,
      since: new Date(Date.now() - 3_600_000).toISOString(),
      include: "failed",
    }),
    seen: "select state::text from app.deliveries where id = :test_delivery",
    becomes: "pending",
  },
  cancelRun: {
    input: ({ ids }) => ({ run: ids.personal_run }), // of a bot that its owner alone sees
    seen: "select state::text from app.runs where id = :personal_run",
    becomes: "cancelled",
  },
  releaseRun: {
    input: ({ ids }) => ({ run: ids.colleague_run }),
    before: `update app.runs set state = 'running', lease_id = uuidv7(), lease_until = now() + interval '1 hour'
      where id = :colleague_run`,
    seen: "select state || ' ' || coalesce(lease_id::text, '') from app.runs where id = :colleague_run",
    becomes: "queued ",
  },
  answerCard: {
    input: ({ ids }) => ({ card: ids.colleague_approval, approve: false }),
    before: "update app.approvals set expires_at = now() - interval '1 minute' where id = :colleague_approval",
    seen: "select state::text from app.approvals where id = :colleague_approval",
    becomes: "refused",
    again: "conflict",
  },
  eraseSubject: {
    input: () => ({ subjectKind: "organisation", subject: "We" }),
    seen: "select count(*)::int from app.memories where organisation_id = :organisation and subject = 'We'",
    becomes: 0,
  },
  restrictKind: {
    input: () => ({ kind: " Pay-Grade " }),
    seen: "select count(*)::int from app.third_party_restrictions where organisation_id = :organisation and kind = 'pay_grade'",
    becomes: 1,
  },
  allowKind: {
    input: () => ({ kind: "Trade union" }),
    seen: "select count(*)::int from app.third_party_restrictions where organisation_id = :organisation and kind = 'trade_union'",
    becomes: 0,
  },
  resendInvitation: {
    input: ({ ids }) => ({ invitation: ids.invitation }),
    seen: `select count(*)::int from app.mails
      where organisation_id = :organisation and kind = 'invitation' and data ->> 'invitationId' is not null`,
    becomes: 1,
  },
  viewAs: {
    input: ({ owner }) => ({ person: owner, path: "/bots" }),
    seen: "select count(*)::int from app.operator_acts where organisation_id = :organisation and action = 'view_as'",
    becomes: 1,
    onlyLooks: true,
  },
};

/** As administrator; :name stands for an id of the seed. */
export async function seenIn(db: TestDatabase, { ids }: Seeded, query: string): Promise<unknown> {
  const values: unknown[] = [];
  const text = query.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => `$${values.push(ids[name])}`);
  const [row] = await db.sql<Record<string, unknown>>(text, values);
  return row && Object.values(row)[0];
}

/** A mutation of this name, with its input as a variable. */
export function mutation(name: string): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { result } }`;
}
