/**
 * What a post to a hook asks of the database. No key reaches these: first whoever knows the address, then whoever has
 * proved to know the secret. (sql/api/hook_inbox.sql)
 */
import { z } from "zod";
import { uuid } from "./fields.ts";
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
  summary: "Have the sealed secret of a hook",
  description: "It needs the master key.",
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
  summary: "Take what was posted to a hook",
  description: "Starts a run, once for each delivery.",
  reply: z.object({ runId: uuid.nullable(), replayed: z.boolean() }),
  refusals: ["invalid_request", "payment_required", "conflict", "quota_exceeded", "unavailable"],
});
