/** What a client may assume about a tool before it asks its user. (docs/mcp.md) */
import type { Operation } from "../contract/operation.ts";
import { onlyReads } from "./offered.ts";

export type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** POSTs that end or empty something. The others only add. */
const ending = new Set([
  ...["erase_memories", "cancel_run", "rotate_key", "rotate_hook_secret", "rotate_webhook_secret"],
  "rotate_audit_stream_secret",
]);

/** Operations that send something to an address outside the organisation, choose such an address, or start a model. */
const reachingOut = new Set([
  "create_invitation",
  "resend_invitation",
  "create_webhook",
  "update_webhook",
  "create_audit_stream",
  "update_audit_stream",
  "resend_approval",
  "test_webhook",
  "redeliver",
  "recover_webhook",
  "start_run",
  "resume_run",
  "retry_run",
]);

/** PATCH replaces values, so it is destructive in the protocol's sense. */
export function annotationsOf(operation: Operation): Annotations {
  const { method, name } = operation;
  return {
    readOnlyHint: onlyReads(operation),
    destructiveHint: method === "patch" || method === "delete" || ending.has(name),
    idempotentHint: method !== "post",
    openWorldHint: reachingOut.has(name),
  };
}
