/**
 * The two operations behind a post to a hook. Neither takes an API key: the first requires the hook's id, the second a
 * valid signature. (sql/api/hook_inbox.sql)
 */
import { z } from "zod";
import { text, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

export const Received = z.object({ runId: uuid }).meta({ id: "Received" });

const path = "/hooks/{id}/receive" as const;

export const openHook = operation({
  name: "open_hook",
  method: "get",
  path,
  keyClass: "hook_address",
  scope: "read",
  status: 200,
  summary: "Retrieve sealed hook secret",
  description: "The master key opens it.",
  pointRead: true,
  reply: z.object({ secretSealed: z.string() }),
});

export const receiveHook = operation({
  name: "receive_hook",
  method: "post",
  path,
  keyClass: "hook",
  scope: "write",
  status: 202,
  summary: "Accept post to hook",
  description: "Starts a run, once for each delivery.",
  // The text that was posted, checked before, and SHA-256 digests in hex: of the signature, the delivery's id and the body.
  body: z.object({
    message: text(1, 32_000),
    signedDigest: z.string(),
    deliveryDigest: z.string(),
    bodyDigest: z.string(),
  }),
  reply: z.object({ runId: uuid.nullable(), replayed: z.boolean() }),
  refusals: ["unavailable"],
  reasons: ["billing_inactive", "delivery_reused", "hook_paused"],
});
