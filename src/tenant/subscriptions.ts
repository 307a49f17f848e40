/** Events of an opt-in kind are written only while an endpoint subscribes to it. */

import { BotsteadError, type Client } from "../client/index.ts";
import { eventKinds } from "../contract/event-kinds.ts";
import type { Kind } from "./kinds.ts";

/** A name that never resolves (RFC 2606), because nothing is to be delivered to it. */
const nowhere = "https://trigger.example/";

/** The opt-in kinds among these to which no endpoint subscribes. */
export async function withoutEndpoint(client: Client, kinds: readonly Kind[]): Promise<Kind[]> {
  const missing = new Set(kinds.filter((kind) => eventKinds[kind].isOptIn));
  if (missing.size === 0) return [];
  for await (const { events } of client.list("/webhooks")) for (const kind of events) missing.delete(kind);
  return [...missing];
}

/**
 * Makes the event. If no endpoint subscribes to its kind, a paused one does for as long as that takes.
 *
 * @throws Error if the key may not manage endpoints, because the event would be lost unnoticed
 */
export async function whileSubscribed<Made>(client: Client, kind: Kind, make: () => Promise<Made>): Promise<Made> {
  const missing = await withoutEndpoint(client, [kind]).catch((error) => {
    if (!(error instanceof BotsteadError && error.code === "unauthenticated")) throw error;
    throw new Error(`${kind} is written only while an endpoint subscribes to it. trigger needs a key of scope admin.`);
  });
  if (missing.length === 0) return make();
  const { id } = await client.post("/webhooks", {
    body: { url: nowhere, events: [kind as never], description: "botstead trigger: deleted when the event is written" },
  });
  try {
    await client.patch("/webhooks/{id}", { path: { id }, body: { state: "paused" } });
    return await make();
  } finally {
    await client.delete("/webhooks/{id}", { path: { id } });
  }
}
