/** For each reason, a way to provoke it, once the rows of the operation's example exist. */
import { type Limit, type LimitReason, limits } from "../../src/contract/limits.ts";
import type { Reason } from "../../src/contract/reasons.ts";
import type { TestApi } from "../support/api.ts";
import { makeMember, setLimits, type TestDatabase } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import type { Documented } from "./document.ts";
import type { Changes, ContractFixture } from "./fixture.ts";

export type Setting = { fixture: ContractFixture; operation: Documented; suite: { db: TestDatabase; api: TestApi } };
/** Returns the changes to the example's call. */
type Way = (setting: Setting) => Promise<Changes>;
type Row = Parameters<ContractFixture["row"]>[0];

const set =
  (column: string, value: unknown): Way =>
  async ({ fixture, suite }) => {
    await suite.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [fixture.organisationId, value]);
    return {};
  };

const change =
  (table: string, row: Row, changes: string): Way =>
  async ({ fixture, suite }) => {
    await suite.db.sql(`update app.${table} set ${changes} where id = $1`, [await fixture.row(row)]);
    return {};
  };

const withBody =
  (body: object): Way =>
  async ({ operation }) => ({ body: { ...operation.example, ...body } });

/** Runs all ways in order; later changes win. */
const each =
  (...ways: Way[]): Way =>
  async (setting) => {
    let changes: Changes = {};
    for (const way of ways) changes = { ...changes, ...(await way(setting)) };
    return changes;
  };

/** A key whose person does not own the fixture's rows. */
const asAnotherAdmin: Way = async ({ fixture, suite }) => {
  const { id, key } = (await fixture.as("POST", "/keys", { name: "Theirs", scope: "admin" })).body;
  const person = await makeMember(suite.db, fixture.organisationId, "admin");
  await suite.db.sql("update app.api_keys set created_by = $2 where id = $1", [id, person]);
  return { key };
};

/** Only a portal session names its person in the body. */
const withPersonOfOwner: Way = async ({ fixture, operation }) =>
  operation.id === "create_portal_session" ? { body: { personId: await fixture.row("owner") } } : {};

const ofOwner: Way = async ({ fixture }) => ({ id: await fixture.row("owner") });

/** A memory of scope `member` that belongs to the key's person. */
const ofOwnMemory: Way = async ({ fixture, suite, operation }) => {
  const [memory] = await suite.db.sql<{ id: string }>(
    `insert into app.memories
       (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
     values ($1, 'member', $2, 'note', 'Tea', 'Takes it black', 'member', 'app', $2) returning id`,
    [fixture.organisationId, await fixture.row("owner")],
  );
  const id = memory?.id ?? "";
  return operation.id === "create_memory" ? { body: { ...operation.example, supersedes: id } } : { id };
};

/** A memory that cannot be replaced after these changes. */
const toReplace =
  (changes: string): Way =>
  async (setting) => {
    await change("memories", "memory", changes)(setting);
    return withBody({ supersedes: await setting.fixture.row("memory") })(setting);
  };

const guest = "guest@harbour.example";

/** The invitation to resend has expired, so it needs a seat again. A new invitation is to this address. */
const toGuest: Way = async ({ fixture, suite, operation }) => {
  if (operation.id !== "resend_invitation") return { body: { email: guest, role: "member" } };
  await suite.db.sql("update app.invitations set email = $2, expires_at = now() - interval '1 hour' where id = $1", [
    await fixture.row("invitation"),
    guest,
  ]);
  return {};
};

const asMember: Way = async ({ fixture, suite }) => {
  await suite.db.sql("insert into app.people (email) values ($1) on conflict do nothing", [guest]);
  await suite.db.sql(
    `insert into app.memberships (organisation_id, person_id, role)
     select $1, person.id, 'member' from app.people person where person.email = $2`,
    [fixture.organisationId, guest],
  );
  return {};
};

const restricted: Way = async ({ fixture, suite, operation }) => {
  if (operation.id === "create_memory")
    return { body: { ...operation.example, subjectKind: "third_party", kind: "health" } };
  await change("memories", "memory", "subject_kind = 'third_party'")({ fixture, suite, operation });
  const [{ kind } = { kind: "" }] = await suite.db.sql<{ kind: string }>(
    "select kind from app.memories where id = $1",
    [await fixture.row("memory")],
  );
  await suite.db.sql("insert into app.third_party_restrictions (organisation_id, kind) values ($1, $2)", [
    fixture.organisationId,
    kind,
  ]);
  return {};
};

const disabled = "state = 'disabled', disabled_reason = 'operator', disabled_at = now()";

/** The organisation has a stream in this state. */
const ofStream =
  (set: string): Way =>
  async ({ fixture, suite }) => {
    await suite.db.sql(
      `insert into app.audit_streams (organisation_id, url, secret_sealed) values ($1, 'https://siem.example/', 'sealed')
       on conflict do nothing`,
      [fixture.organisationId],
    );
    await suite.db.sql(`update app.audit_streams set ${set} where organisation_id = $1`, [fixture.organisationId]);
    return {};
  };

const paused = change("webhook_endpoints", "webhook", "state = 'paused'");

const toGuestIfInvited: Way = async (setting) => (setting.operation.id.endsWith("_invitation") ? toGuest(setting) : {});

/** The organisation has used all of a limit. For seats, the owner has one. */
const limitWays = Object.fromEntries(
  Object.entries<Limit>(limits).map(([name, { reason }]) => [
    reason,
    each(toGuestIfInvited, async ({ fixture, suite }) => {
      await setLimits(suite.db, fixture.organisationId, { [name]: name === "seats" ? 1 : 0 });
      return {};
    }),
  ]),
) as Record<LimitReason, Way>;

/** Reasons of posts to hooks are tested in hook-inbox.test.ts, reasons of portal sessions in portal/sessions.test.ts. batch_undone occurs only in results. */
export type Provoked = Exclude<
  Reason,
  | "outside_portal_session"
  | "csrf_token_missing"
  | "not_own_bot"
  | "delivery_reused"
  | "hook_paused"
  | "limit_webhook_starts"
  | "batch_undone"
>;

export const ways: Record<Provoked, Way> = {
  organisation_suspended: set("suspended_at", new Date()),
  personal_organisation: set("kind", "personal"),
  billing_inactive: set("billing_state", "none"),
  bought_seats_taken: each(toGuest, set("seats_bought", 1)),
  role_above_own: each(asAnotherAdmin, withBody({ role: "owner" })),
  member_above_own: each(asAnotherAdmin, ofOwner, withPersonOfOwner),
  own_membership: ofOwner,
  last_owner: each(ofOwner, withBody({ role: "admin" })),
  member_memory: ofOwnMemory,
  kind_restricted: restricted,
  memory_of_another_owner: async (setting) =>
    toReplace(`scope = 'bot', bot_id = '${await setting.fixture.row("bot")}'`)(setting),
  memory_not_current: toReplace("valid_to = now()"),
  not_bot_owner: each(asAnotherAdmin, withBody({ visibility: "personal" })),
  not_own_conversation: asAnotherAdmin,
  owners_only: asAnotherAdmin,
  exports_open: async ({ fixture }) => {
    for (let made = 0; made < 10; made += 1) await fixture.created("/exports");
    return {};
  },
  export_expired: change("exports", "export", "expires_at = now()"),
  export_finished: change("exports", "export", "finished_at = now(), manifest = '{}', manifest_hash = repeat('0', 64)"),
  export_incomplete: async ({ fixture }) => ({ id: await fixture.created("/exports") }),
  export_part_changed: async ({ fixture, suite }) => {
    const id = await fixture.row("export");
    await fixture.as("POST", `/exports/${id}/parts`, { part: 1 });
    await suite.db.sql(
      `with changed as (update app.export_parts set hash = repeat('0', 64) where export_id = $1)
       insert into app.export_parts (organisation_id, export_id, number, counts, lines, hash, chain)
       select organisation_id, export_id, 2, counts, lines, hash, chain from app.export_parts where export_id = $1`,
      [id],
    );
    return {};
  },
  not_creator: each(asAnotherAdmin, withBody({ name: "Theirs", state: undefined })),
  member_exists: each(asMember, toGuest),
  invitation_open: each(toGuest, async ({ fixture }) => {
    await fixture.created("/invitations", { email: guest });
    return {};
  }),
  invitation_accepted: change("invitations", "invitation", "accepted_at = now(), accepted_by = invited_by"),
  invitation_revoked: change("invitations", "invitation", "revoked_at = now()"),
  key_revoked: change("api_keys", "key", "revoked_at = now()"),
  key_rotated: change("api_keys", "key", "rotated_at = now()"),
  key_expired: change("api_keys", "key", "expires_at = now()"),
  entry_not_in_checkpoint: async ({ fixture, suite }) => {
    await fixture.created("/bots", { name: "Later" });
    const [entry] = await suite.db.sql<{ id: string }>(
      "select id from app.audit_log where organisation_id = $1 order by id desc limit 1",
      [fixture.organisationId],
    );
    return { id: entry?.id ?? "" };
  },
  approval_not_pending: change("approvals", "approval", "state = 'withdrawn'"),
  approval_mailed: async ({ fixture, suite }) => {
    const id = await fixture.row("approval");
    await suite.db.sql(
      `insert into app.mails (organisation_id, kind, recipient, data)
       select organisation_id, kind, recipient, data from app.mails, generate_series(1, 4)
       where organisation_id = $1 and kind = 'approval' and data ->> 'approvalId' = $2`,
      [fixture.organisationId, id],
    );
    return {};
  },
  concurrency_key_busy: async ({ fixture, operation }) => {
    const body = { ...((await fixture.example(operation)) as object), concurrencyKey: "order 4711", ifBusy: "reject" };
    await fixture.created("/runs", body);
    return { body };
  },
  run_not_ended: async ({ fixture }) => ({
    id: await fixture.created("/runs", { botId: await fixture.row("bot"), message: "How wide is it?" }),
  }),
  run_retried_too_often: async ({ fixture, suite }) => {
    const run = await fixture.row("run");
    await suite.db.sql(
      `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, state, finished_at, retry_of)
       select organisation_id, bot_id, conversation_id, person_id, 'api', 'cancelled', now(), id
       from app.runs, generate_series(1, 20) where id = $1`,
      [run],
    );
    return {};
  },
  step_without_result: withBody({ fromStep: 2 }),
  run_not_blocked: change("runs", "run", "state = 'cancelled'"),
  endpoint_disabled: each(
    async (setting) =>
      setting.operation.id === "update_webhook"
        ? change("webhook_endpoints", "webhook", disabled)(setting)
        : ofStream(disabled)(setting),
    withBody({ state: "paused" }),
  ),
  audit_stream_exists: each(ofStream("state = 'active'"), async () => ({ id: absent })), // else the fixture deletes it
  entry_not_sent: async (setting) => {
    await ofStream("after_entry_id = null, after_sequence = 0")(setting);
    return withBody({ afterEntryId: await setting.fixture.row("auditEntry") })(setting);
  },
  endpoint_not_active: paused,
  revision_changed: async () => ({ headers: { "if-match": '"another"' } }),
  delivery_not_failed: change("deliveries", "delivery", "state = 'delivered', delivered_at = now()"),
  ...limitWays,
};
