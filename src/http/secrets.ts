/**
 * Secrets. They are made here, so that SQL never sees one: it is given a digest, or a text sealed under the master key.
 * What an answer shows once is kept beside that answer, sealed for its caller, whom a replay shows it again.
 * (decisions: section 1.)
 */
import { randomBytes } from "node:crypto";
import type { SecretKind } from "../contract/operation.ts";
import { digestOf, makeCredential } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { open, replayKey, seal } from "../secrets/seal.ts";

export type Secret = {
  /** What SQL stores. */
  stored: Record<string, string>;
  /** The member that shows it in the answer, as JSON; undefined when the answer does not. */
  member: string | undefined;
};

export function makeSecret(kind: SecretKind, master: MasterKey): Secret {
  if (kind === "signing-secret") {
    const text = `whsec_${randomBytes(32).toString("base64")}`;
    const secretSealed = seal(master.sealing, "webhook-secret", text).toString("hex");
    const secretDigest = digestOf(text).toString("hex"); // by which a hook is known; an endpoint has no use for it
    return { stored: { secretSealed, secretDigest }, member: `"secret":${JSON.stringify(text)}` };
  }
  if (kind === "invitation-token") {
    const { text, digest } = makeCredential("bsi");
    const tokenSealed = seal(master.sealing, "invitation-token", text).toString("hex");
    return { stored: { tokenDigest: digest.toString("hex"), tokenSealed }, member: undefined };
  }
  const { text, prefix, digest } = makeCredential("bsk");
  return { stored: { prefix, digest: digest.toString("hex") }, member: `"key":${JSON.stringify(text)}` };
}

/** Who sends the same bearer and Idempotency-Key again, and nobody else, can open what was sealed for them. */
export type Caller = { bearer: string; idempotencyKey: string };

/** Seals the members that an answer shows, in the order of its rows; undefined when it shows none. */
export function sealMembers(members: (string | undefined)[], caller: Caller): Buffer | undefined {
  if (members.every((member) => member === undefined)) return undefined;
  const text = JSON.stringify(members.map((member) => member ?? null));
  return seal(replayKey(caller.bearer, caller.idempotencyKey), "shown-once", text);
}

/** What `sealMembers` sealed. @throws Error when it was sealed for somebody else. */
export function openMembers(sealed: Buffer, caller: Caller): (string | undefined)[] {
  const text = open(replayKey(caller.bearer, caller.idempotencyKey), "shown-once", sealed);
  return (JSON.parse(text) as (string | null)[]).map((member) => member ?? undefined);
}

/** The row with its secret as its last member; the first answer and every replay come through here and are equal. */
export function withMember(row: string, member: string | undefined): string {
  return member === undefined ? row : `${row.slice(0, -1)},${member}}`;
}
