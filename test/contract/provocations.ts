/** For each code, how an operation is really brought to refuse with it. What depends on the operation is listed by it. */
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { Json, Reply, TestApi } from "../support/api.ts";
import { makeMember, type TestDatabase } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import type { Documented } from "./document.ts";
import { type Changes, makeWorld, type World } from "./world.ts";

export type Stage = {
  db: TestDatabase;
  api: TestApi;
  /** Its buckets hold nothing. */
  full: TestApi;
};

type Setting = { world: World; operation: Documented; stage: Stage };
type Provoke = (setting: Setting) => Promise<Reply<Json>>;

const set = ({ world, stage }: Setting, column: string, value: unknown) =>
  stage.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [world.organisationId, value]);

/** A key whose person is not the owner of what the world holds. */
async function byAnotherAdmin({ world, stage, operation }: Setting, changes: Changes): Promise<Reply<Json>> {
  const { id, key } = (await world.as("POST", "/keys", { name: "Theirs", scope: "admin" })).body;
  const person = await makeMember(stage.db, world.organisationId, "admin");
  await stage.db.sql("update app.api_keys set created_by = $2 where id = $1", [id, person]);
  return world.send(operation, { ...changes, key });
}

/** In a personal organisation all that manages people is refused. */
const inPersonalOrganisation: Provoke = async ({ operation, stage }) => {
  const alone = await makeWorld(stage.db, stage.api, "personal");
  const id = operation.path.includes("{userId}") ? { id: await alone.row("owner") } : {};
  return alone.send(operation, id);
};

/** Whatever else it may refuse: nothing is done for an organisation that is suspended. */
const whileSuspended: Provoke = async (setting) => {
  await setting.world.send(setting.operation); // which makes the rows that it names
  await set(setting, "suspended_at", new Date());
  return setting.world.send(setting.operation);
};

/** A claim that is the key's person's own, as a conversation leaves it. */
const onOwnClaim: Provoke = async ({ operation, world, stage }) => {
  const [claim] = await stage.db.sql<{ id: string }>(
    `insert into app.memories
       (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
     values ($1, 'member', $2, 'note', 'Tea', 'Takes it black', 'member', 'app', $2) returning id`,
    [world.organisationId, await world.row("owner")],
  );
  return world.send(operation, { id: claim?.id ?? "" });
};

const forbidden: Record<string, Provoke> = {
  update_bot: (setting) => byAnotherAdmin(setting, { body: { visibility: "personal" } }),
  resume_run: (setting) => byAnotherAdmin(setting, {}),
  update_routine: (setting) => byAnotherAdmin(setting, {}),
  update_hook: (setting) => byAnotherAdmin(setting, { body: { name: "Theirs" } }),
  rotate_hook_secret: (setting) => byAnotherAdmin(setting, {}),
  create_memory: ({ world, operation }) =>
    world.send(operation, { body: { ...operation.example, subjectKind: "third_party", kind: "health" } }),
  update_memory: onOwnClaim,
  delete_memory: onOwnClaim,
};

const onRow = (name: Parameters<World["row"]>[0], change: string): Provoke => {
  return async ({ world, operation, stage }) => {
    await stage.db.sql(change, [await world.row(name)]);
    return world.send(operation);
  };
};

const conflict: Record<string, Provoke> = {
  resume_run: onRow("run", "update app.runs set state = 'cancelled' where id = $1"),
  rotate_key: onRow("key", "update app.api_keys set revoked_at = now() where id = $1"),
  update_webhook: onRow(
    "webhook",
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'operator', disabled_at = now() where id = $1",
  ),
  test_webhook: onRow("webhook", "update app.webhook_endpoints set state = 'paused' where id = $1"),
  recover_webhook: onRow("webhook", "update app.webhook_endpoints set state = 'paused' where id = $1"),
  redeliver: onRow("delivery", "update app.deliveries set state = 'delivered', delivered_at = now() where id = $1"),
  create_invitation: async ({ world, operation }) => {
    await world.send(operation);
    return world.send(operation);
  },
  resend_invitation: onRow("invitation", "update app.invitations set revoked_at = now() where id = $1"),
  revoke_invitation: onRow(
    "invitation",
    "update app.invitations set accepted_at = now(), accepted_by = invited_by where id = $1",
  ),
};

const atCeiling = (column: string): Provoke => {
  return async (setting) => {
    const id = await pathIdOf(setting);
    await set(setting, column, 0);
    return setting.world.send(setting.operation, id);
  };
};

/** What the path names is made before the ceiling falls. */
async function pathIdOf({ world, operation }: Setting): Promise<{ id?: string }> {
  if (operation.id === "rotate_key") return { id: await world.row("key") };
  if (["start_run", "create_routine", "create_hook"].includes(operation.id)) await world.row("bot");
  return {};
}

const quota: Record<string, Provoke> = {
  create_key: atCeiling("live_key_ceiling"),
  rotate_key: atCeiling("live_key_ceiling"),
  create_owner_key: atCeiling("live_key_ceiling"),
  create_webhook: atCeiling("live_endpoint_ceiling"),
  start_run: atCeiling("hourly_run_ceiling"),
  create_routine: atCeiling("routine_ceiling"),
  create_hook: atCeiling("hook_ceiling"),
  create_invitation: atCeiling("open_invitation_ceiling"),
  resend_invitation: async (setting) => {
    await expire(setting);
    return atCeiling("open_invitation_ceiling")(setting);
  },
};

const expire = async ({ world, stage }: Setting) =>
  stage.db.sql("update app.invitations set expires_at = now() - interval '1 hour' where id = $1", [
    await world.row("invitation"),
  ]);

/** What no schema admits: an empty change, a limit or a time that is none, or no Idempotency-Key. */
const invalid: Provoke = ({ world, operation }) => {
  if (operation.method === "POST") return world.send(operation, { idempotencyKey: null });
  if (operation.id === "watch_run") return world.send(operation, { headers: { "last-event-id": "none" } });
  return world.send(operation, operation.method === "PATCH" ? { body: {} } : { query: "?limit=0&since=never&wait=26" });
};

const missing: Provoke = ({ world, operation }) => {
  if (operation.path.includes("{")) return world.send(operation, { id: absent });
  const scope = operation.id === "create_memory" ? { scope: "bot" } : {};
  return world.send(operation, { body: { ...operation.example, ...scope, botId: absent } });
};

const mismatch: Provoke = async ({ world, operation }) => {
  const idempotencyKey = "once";
  await world.send(operation, { idempotencyKey });
  return world.send(operation, { idempotencyKey, body: { another: "request" } });
};

const tooLarge: Provoke = ({ world, operation, stage }) => {
  const raw = JSON.stringify({ padding: "x".repeat(1024 * 1024) });
  if (operation.method !== "GET") return world.send(operation, { raw });
  return getWithBody(
    `${stage.api.url}/api/v1${operation.path.replace(/\{\w+\}/, absent)}`,
    world.keyFor(operation),
    raw,
  );
};

/** What fetch does not do and HTTP allows. */
function getWithBody(url: string, key: string, body: string): Promise<Reply<Json>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "GET", headers }, async (response) => {
      const answered = await text(response);
      resolve({
        status: response.statusCode ?? 0,
        body: JSON.parse(answered),
        text: answered,
        headers: new Headers(response.headers as Record<string, string>),
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const listed =
  (by: Record<string, Provoke>, otherwise?: Provoke): Provoke =>
  (setting) => {
    const provoke = by[setting.operation.id] ?? otherwise;
    if (!provoke) throw new Error(`Nothing here brings ${setting.operation.id} to refuse so.`);
    return provoke(setting);
  };

const managesPeople = ({ path }: Documented): boolean => /^\/(members|invitations)/.test(path);

/** idempotency_in_progress, internal and unavailable are provoked for all operations at once, in the test itself. */
export const provocations: Record<string, Provoke> = {
  unauthenticated: ({ world, operation }) => world.send(operation, { key: undefined }),
  rate_limited: ({ world, operation, stage }) => world.send(operation, { api: stage.full }),
  invalid_request: invalid,
  payload_too_large: tooLarge,
  not_found: missing,
  forbidden: (setting) =>
    listed(forbidden, managesPeople(setting.operation) ? inPersonalOrganisation : whileSuspended)(setting),
  payment_required: async (setting) => {
    if (setting.operation.id === "start_run") await setting.world.row("bot");
    if (setting.operation.id === "resend_invitation") await expire(setting);
    await set(setting, "billing_state", "none");
    return setting.world.send(setting.operation);
  },
  conflict: listed(conflict),
  quota_exceeded: listed(quota),
  idempotency_mismatch: mismatch,
};
