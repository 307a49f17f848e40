/**
 * `botstead trigger`: makes an event happen by real calls of the API, with the rights of the key. Then it removes what
 * the calls created, if possible. Other kinds have a sentence that says why the API cannot make them happen.
 */
import type { Client } from "../client/index.ts";
import type { Kind } from "./kinds.ts";
import { whileSubscribed } from "./subscriptions.ts";
import { Usage } from "./usage.ts";

type Options = Partial<Record<"bot" | "webhook" | "member", string | undefined>>;
type Make = (client: Client, options: Options) => Promise<string>;

/** How long a run may wait for an executor. */
const startTimeoutMs = 30_000;
/** More keys than the limit of 20 has, and few enough for a rate limit. */
const maxKeys = 50;

/** @throws Usage if the option is missing */
function need(value: string | undefined, option: string): string {
  if (!value) throw new Usage(`This event needs --${option} ID.`);
  return value;
}

const memory = { scope: "organisation", kind: "note", subject: "botstead trigger", value: "A test." } as const;
const key = { name: "botstead trigger", scope: "read", expiresInDays: 1 } as const;

const changeMemory: Make = async (client) => {
  const { id } = await client.post("/memories", { body: memory });
  await client.patch("/memories/{id}", { path: { id }, body: { value: "A changed test." } });
  await client.delete("/memories/{id}", { path: { id } });
  return `memory ${id} was created, changed and deleted`;
};

const changeKey: Make = async (client) => {
  const { id } = await client.post("/keys", { body: key });
  await client.delete("/keys/{id}", { path: { id } });
  return `key ${id} was created and revoked`;
};

const startRun = (client: Client, bot: string | undefined) =>
  client.post("/runs", { body: { botId: need(bot, "bot"), message: "A test." } });

const cancelRun: Make = async (client, { bot }) => {
  const { id } = await startRun(client, bot);
  await client.post("/runs/{id}/cancel", { path: { id } });
  return `run ${id} was started and cancelled`;
};

const beginRun: Make = async (client, { bot }) => {
  const { id } = await startRun(client, bot);
  const signal = AbortSignal.timeout(startTimeoutMs);
  try {
    for await (const { event, data } of client.watch("/runs/{id}/events", { path: { id }, signal })) {
      if (event === "state" && data.state === "running") return `run ${id} was started by an executor`;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  throw new Error(`No executor has started run ${id}.`);
};

const testWebhook: Make = async (client, { webhook }) => {
  const { id } = await client.post("/webhooks/{id}/test", { path: { id: need(webhook, "webhook") } });
  return `delivery ${id} was created`;
};

const changeRole: Make = async (client, { member }) => {
  const path = { userId: need(member, "member") };
  const { role } = await client.get("/members/{userId}", { path });
  if (role === "owner") throw new Error("The role of an owner is not changed for a test. Name an admin or a member.");
  await client.patch("/members/{userId}", { path, body: { role: role === "admin" ? "member" : "admin" } });
  await client.patch("/members/{userId}", { path, body: { role } });
  return `the role of member ${path.userId} was changed, and changed back to ${role}`;
};

const removeMember: Make = async (client, { member }) => {
  const userId = need(member, "member");
  await client.delete("/members/{userId}", { path: { userId } });
  return `member ${userId} was removed for good`;
};

/** Uses the limit of live keys up, and revokes what it made. */
const reachLimit: Make = async (client) => {
  const { limit, used } = (await client.get("/me")).limits.liveKeys;
  const left = (limit ?? Number.POSITIVE_INFINITY) - used;
  if (left < 1 || left > maxKeys) {
    throw new Error(`This uses up the limit of live keys, and 1 to ${maxKeys} must be left. ${left} are.`);
  }
  const made: string[] = [];
  try {
    while (made.length < left) made.push((await client.post("/keys", { body: key })).id);
  } finally {
    for (const id of made) await client.delete("/keys/{id}", { path: { id } });
  }
  return `${left} keys were created, up to the limit of ${limit}, and revoked`;
};

const onlyOperators = "An operator of the service schedules and cancels the deletion of an organisation. A key cannot.";

/** By kind: how the API makes it happen, or why a key cannot. */
export const triggers: Partial<Record<Kind, Make | string>> = {
  "run.finished": cancelRun,
  "approval.needed": "A bot decides during a run whether to ask for an approval.",
  "webhook.test": testWebhook,
  "run.started": beginRun,
  "run.blocked": "A bot decides during a run that it needs its person.",
  "endpoint.disabled":
    "An endpoint is disabled by ten failed deliveries in a row, by an answer 410, or by an operator, not by a key.",
  "audit_stream.disabled":
    "A stream is disabled by ten rounds of failed attempts in a row, or by an answer 410, not by a key.",
  "member.added": "A person becomes a member by accepting an invitation on the mailed page. A key cannot.",
  "member.removed": removeMember,
  "member.role_changed": changeRole,
  "invitation.accepted": "A person accepts an invitation on the mailed page. A key cannot.",
  "key.created": changeKey,
  "key.revoked": changeKey,
  "memory.created": changeMemory,
  "memory.updated": changeMemory,
  "memory.deleted": changeMemory,
  "organisation.limit_reached": reachLimit,
  "organisation.deletion_scheduled": onlyOperators,
  "organisation.deletion_cancelled": onlyOperators,
  "key.expiring": "Keys are announced by the worker, days before they expire.",
};

/**
 * @returns what was done
 * @throws Error that says why the event cannot be made
 */
export async function makeEvent(client: Client, kind: Kind, options: Options): Promise<string> {
  const make = triggers[kind] ?? "The API has no call that only makes this event.";
  if (typeof make === "string") throw new Error(`trigger cannot make ${kind}. ${make}`);
  return whileSubscribed(client, kind, () => make(client, options));
}
