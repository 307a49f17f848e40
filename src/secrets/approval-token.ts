/** The token of an approval's link. */
import { type Credential, makeCredential } from "./credentials.ts";
import { deriveKey } from "./seal.ts";

/** Derived from key and approval, so that a mail sent again has the same link and only its digest is stored. */
export function approvalToken(sealing: Buffer, approvalId: string): Credential {
  return makeCredential("bsa", deriveKey(sealing, approvalId, "approval link v1"));
}
