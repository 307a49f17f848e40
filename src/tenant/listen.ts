/** `botstead listen`: posts the organisation's events to a local address, signed as deliveries are. */
import type { Client, LiveEvent } from "../client/index.ts";
import { deliveryHeaders, signingKeys } from "../delivery/headers.ts";

/** As long as an attempt of a delivery may take. */
const timeoutMs = 10_000;

export type Posted = {
  event: string;
  id: string;
  statusCode: number | null;
  failure: string | null;
  durationMs: number;
};

export type Forwarding = {
  client: Client;
  forwardTo: string;
  events: readonly string[] | undefined;
  secret: string;
  signal: AbortSignal;
  onPosted: (posted: Posted) => void;
};

/** Posts one event after the other, so the receiver has them in the order of the feed. */
export async function forward({ client, events, signal, onPosted, ...to }: Forwarding): Promise<void> {
  const { organisation } = await client.get("/me");
  for await (const { event, data } of client.follow({ signal })) {
    if (events && !events.includes(event)) continue;
    onPosted(await post({ ...to, signal, event, data, organisationId: organisation.id }));
  }
}

type Post = Pick<Forwarding, "forwardTo" | "secret" | "signal"> &
  Pick<LiveEvent, "event" | "data"> & { organisationId: string };

async function post({ forwardTo, secret, signal, event, data: happened, organisationId }: Post): Promise<Posted> {
  const { id: eventId, createdAt, data, deliveries } = happened;
  const id = deliveries[0]?.id ?? eventId;
  const body = JSON.stringify({ id, event, createdAt, organisationId, data });
  const headers = deliveryHeaders({ deliveryId: id, event, body, keys: signingKeys(secret), at: new Date() });
  const began = performance.now();
  const outcome = await fetch(forwardTo, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return { statusCode: response.status, failure: null };
    },
    (error: Error) => ({ statusCode: null, failure: error.name === "TimeoutError" ? "timeout" : "transport" }),
  );
  return { event, id, ...outcome, durationMs: Math.round(performance.now() - began) };
}
