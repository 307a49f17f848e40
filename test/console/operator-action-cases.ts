/** Operator actions as data: input, and the row that shows the effect. */
import type { Seeded } from "../sql/seed.ts";
import type { TestDatabase } from "../support/database.ts";

export type ActionCase = {
  /** Input in addition to organisation and reason. */
  input?: (seeded: Seeded) => object;
  /** Statement that prepares the row. */
  prepare?: string;
  /** Query of one value that the action changes. Named parameters are ids of the seed. */
  query: string;
  /** The value after the action. */
  expected: unknown;
  /** Code of the second identical action, if it is refused. */
  secondCode?: string;
};

const soon = new Date(Date.now() + 86_400_000).toISOString();

export const actionCases: Record<string, ActionCase> = {
  setLimit: {
    input: () => ({ name: "seats", maximum: "7" }),
    query:
      "select maximum::integer from app.organisation_limits where organisation_id = :organisation and name = 'seats'",
    expected: 7,
  },
  setBilling: {
    input: () => ({ state: "trial", trialEndsAt: soon, seatsBought: 3 }),
    query: "select billing_state::text || seats_bought from app.organisations where id = :organisation",
    expected: "trial3",
  },
  suspendOrganisation: {
    query: "select suspended_at is not null from app.organisations where id = :organisation",
    expected: true,
  },
  liftSuspension: {
    prepare: "update app.organisations set suspended_at = now() where id = :organisation",
    query: "select suspended_at is null from app.organisations where id = :organisation",
    expected: true,
  },
  scheduleOrganisationDeletion: {
    input: () => ({ waitDays: 7 }),
    query: "select deletion_at > now() + interval '6 days' from app.organisations where id = :organisation",
    expected: true,
    secondCode: "conflict",
  },
  cancelOrganisationDeletion: {
    prepare: "update app.organisations set deletion_at = now() + interval '1 day' where id = :organisation",
    query: "select deletion_at is null from app.organisations where id = :organisation",
    expected: true,
    secondCode: "conflict",
  },
  revokeKey: {
    input: ({ keys }) => ({ key: keys.write.id }),
    query: `select count(*)::int from app.api_keys
      where organisation_id = :organisation and scope = 'write' and revoked_at is not null`,
    expected: 1,
  },
  mintKey: {
    input: ({ owner }) => ({ person: owner, name: "Minted here", scope: "admin", days: 2 }),
    query: "select count(*)::int from app.api_keys where organisation_id = :organisation and name = 'Minted here'",
    expected: 1,
  },
  resumeEndpoint: {
    input: ({ ids }) => ({ endpoint: ids.endpoint }),
    prepare: `update app.webhook_endpoints set state = 'disabled', disabled_reason = 'gone', disabled_at = now()
      where id = :endpoint`,
    query: "select state || ' ' || coalesce(disabled_reason::text, '') from app.webhook_endpoints where id = :endpoint",
    expected: "active ",
  },
  disableEndpoint: {
    input: ({ ids }) => ({ endpoint: ids.endpoint }),
    query: "select state || ' ' || coalesce(disabled_reason::text, '') from app.webhook_endpoints where id = :endpoint",
    expected: "disabled operator",
  },
  redeliver: {
    input: ({ ids }) => ({ delivery: ids.test_delivery }),
    query: "select state::text from app.deliveries where id = :test_delivery",
    expected: "pending",
    secondCode: "conflict",
  },
  recoverDeliveries: {
    input: ({ ids }) => ({
      endpoint: ids.endpoint,
      since: new Date(Date.now() - 3_600_000).toISOString(),
      include: "failed",
    }),
    query: "select state::text from app.deliveries where id = :test_delivery",
    expected: "pending",
  },
  cancelRun: {
    input: ({ ids }) => ({ run: ids.personal_run }), // of a bot that only its owner can see
    query: "select state::text from app.runs where id = :personal_run",
    expected: "cancelled",
  },
  releaseRun: {
    input: ({ ids }) => ({ run: ids.colleague_run }),
    prepare: `update app.runs set state = 'running', lease_id = uuidv7(), lease_until = now() + interval '1 hour'
      where id = :colleague_run`,
    query: "select state || ' ' || coalesce(lease_id::text, '') from app.runs where id = :colleague_run",
    expected: "queued ",
  },
  retryRuns: {
    input: () => ({ model: "recall", since: new Date(Date.now() - 3_600_000).toISOString(), mode: "retry" }),
    prepare: `with alive as (
        insert into app.executors (id, name, models, last_seen_at)
        values (uuidv7(), 'x', '{recall}', now() + interval '1 day')
      )
      update app.runs set state = 'failed', error = 'executor_failed', finished_at = now() where id = :colleague_run`,
    query: "select count(*)::int from app.runs where organisation_id = :organisation and retry_of = :colleague_run",
    expected: 1,
  },
  answerApproval: {
    input: ({ ids }) => ({ approval: ids.colleague_approval, approve: false }),
    prepare: "update app.approvals set expires_at = now() - interval '1 minute' where id = :colleague_approval",
    query: "select state::text from app.approvals where id = :colleague_approval",
    expected: "refused",
    secondCode: "conflict",
  },
  eraseSubject: {
    input: () => ({ subjectKind: "organisation", subject: "We" }),
    query: "select count(*)::int from app.memories where organisation_id = :organisation and subject = 'We'",
    expected: 0,
  },
  restrictKind: {
    input: () => ({ kind: " Pay-Grade " }),
    query:
      "select count(*)::int from app.third_party_restrictions where organisation_id = :organisation and kind = 'pay_grade'",
    expected: 1,
  },
  allowKind: {
    input: () => ({ kind: "Trade union" }),
    query:
      "select count(*)::int from app.third_party_restrictions where organisation_id = :organisation and kind = 'trade_union'",
    expected: 0,
  },
  resendInvitation: {
    input: ({ ids }) => ({ invitation: ids.invitation }),
    query: `select count(*)::int from app.mails
      where organisation_id = :organisation and kind = 'invitation' and data ->> 'invitationId' is not null`,
    expected: 1,
  },
  viewAs: {
    input: ({ owner }) => ({ person: owner }),
    query: `select count(*)::int from app.portal_sessions
      where organisation_id = :organisation and read_only and operator = 'Otto act'`,
    expected: 1,
  },
};

/** Runs a query as administrator; :name is replaced by an id of the seed. */
export async function readValue(db: TestDatabase, { ids }: Seeded, query: string): Promise<unknown> {
  const values: unknown[] = [];
  const text = query.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => `$${values.push(ids[name])}`);
  const [row] = await db.sql<Record<string, unknown>>(text, values);
  return row && Object.values(row)[0];
}

/** The GraphQL text of a mutation with a variable for its input. */
export function mutation(name: string): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { result } }`;
}
