/** The state of a key. */
import type { Schemas } from "./schemas.ts";

export function stateOf({ revokedAt, expiresAt }: Schemas["Key"]): "live" | "expired" | "revoked" {
  if (revokedAt) return "revoked";
  return Date.parse(expiresAt) <= Date.now() ? "expired" : "live";
}
