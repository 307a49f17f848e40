/** `botstead trigger`: makes an event happen by real calls of the API, and undoes what they made. */
import type { Client } from "../client/index.ts";

type Options = { bot: string | undefined; webhook: string | undefined };

/** @throws Error if the option is missing */
function need(value: string | undefined, option: string): string {
  if (!value) throw new Error(`This event needs --${option} and an id.`);
  return value;
}

const memory = { scope: "organisation", kind: "note", subject: "botstead trigger", value: "A test." } as const;

async function changeMemory(client: Client): Promise<string> {
  const { id } = await client.post("/memories", { body: memory });
  await client.patch("/memories/{id}", { path: { id }, body: { value: "A changed test." } });
  await client.delete("/memories/{id}", { path: { id } });
  return `memory ${id} was created, changed and deleted`;
}

async function changeKey(client: Client): Promise<string> {
  const { id } = await client.post("/keys", { body: { name: "botstead trigger", scope: "read", expiresInDays: 1 } });
  await client.delete("/keys/{id}", { path: { id } });
  return `key ${id} was created and revoked`;
}

async function cancelRun(client: Client, { bot }: Options): Promise<string> {
  const { id } = await client.post("/runs", { body: { botId: need(bot, "bot"), message: "A test." } });
  await client.post("/runs/{id}/cancel", { path: { id } });
  return `run ${id} was started and cancelled`;
}

async function testWebhook(client: Client, { webhook }: Options): Promise<string> {
  const { id } = await client.post("/webhooks/{id}/test", { path: { id: need(webhook, "webhook") } });
  return `delivery ${id} was created`;
}

export const triggers: Record<string, (client: Client, options: Options) => Promise<string>> = {
  "run.finished": cancelRun,
  "webhook.test": testWebhook,
  "memory.created": changeMemory,
  "memory.updated": changeMemory,
  "memory.deleted": changeMemory,
  "key.created": changeKey,
  "key.revoked": changeKey,
};
