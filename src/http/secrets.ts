/**
 * Secrets that are shown once. They are made here, so that SQL never sees one: it is given a digest, or a text sealed
 * under the master key, and beside it the same secret sealed for its caller, whom a replay shows it again. (decisions:
 * section 1.)
 */
import { randomBytes } from "node:crypto";
import type { SecretKind } from "../contract/operation.ts";
import { makeCredential } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { open, replayKey, seal } from "../secrets/seal.ts";

export type Secret = {
  /** What SQL stores. */
  stored: Record<string, string>;
  /** What only who sends the same bearer and Idempotency-Key can open. */
  sealed: Buffer;
};

/** The name of the member that shows the secret. */
const members: Record<SecretKind, string> = { "api-key": "key", "signing-secret": "secret" };

export function makeSecret(kind: SecretKind, master: MasterKey, bearer: string, idempotencyKey: string): Secret {
  const sealFor = (text: string) => seal(replayKey(bearer, idempotencyKey), "shown-once", text);
  if (kind === "api-key") {
    const { text, prefix, digest } = makeCredential("bsk");
    return { stored: { prefix, digest: digest.toString("hex") }, sealed: sealFor(text) };
  }
  const text = `whsec_${randomBytes(32).toString("base64")}`;
  const secretSealed = seal(master.sealing, "webhook-secret", text).toString("hex");
  return { stored: { secretSealed }, sealed: sealFor(text) };
}

/** The row with its secret as its last member; the first answer and every replay come through here and are equal. */
export function withSecret(
  body: string,
  kind: SecretKind,
  sealed: Buffer,
  bearer: string,
  idempotencyKey: string,
): string {
  const text = open(replayKey(bearer, idempotencyKey), "shown-once", sealed);
  return `${body.slice(0, -1)},${JSON.stringify(members[kind])}:${JSON.stringify(text)}}`;
}
