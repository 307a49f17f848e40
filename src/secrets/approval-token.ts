/** The token of an approval card's link. */
import { type Credential, makeCredential } from "./credentials.ts";
import { deriveKey } from "./seal.ts";

/**
 * It follows from the master key and the card: a mail that has to be sent again carries the same link, and nothing has to
 * be kept of it but its digest.
 */
export function approvalToken(sealing: Buffer, approvalId: string): Credential {
  return makeCredential("bsa", deriveKey(sealing, approvalId, "approval link v1"));
}
