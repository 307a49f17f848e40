import { deriveInvitationKey, type MasterKey } from "../../src/secrets/master-key.ts";
import type { Settings } from "./system.ts";

/** The master key of the bench's database, as sent to a system. */
export function receivedKey({ sealing, checkpoints, passwords }: Settings["masterKey"]): MasterKey {
  const sealingKey = Buffer.from(sealing, "base64");
  return {
    sealing: sealingKey,
    invitations: deriveInvitationKey(sealingKey),
    checkpoints: Buffer.from(checkpoints, "base64"),
    password: (role) => passwords[role] ?? "",
  };
}
