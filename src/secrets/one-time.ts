/**
 * Generates secrets. SQL receives only digests, and texts sealed with the master key. A secret that an answer shows once is
 * stored with the idempotent response, sealed for its caller, so that a replay can show it again.
 * (docs/specification/conventions.md#one-time-secrets)
 */
import { randomBytes } from "node:crypto";
import type { Operation, SecretKind } from "../contract/operation.ts";
import { digestOf, makeCredential } from "./credentials.ts";
import type { MasterKey } from "./master-key.ts";
import { open, replayKey, seal } from "./seal.ts";

export type Secret = {
  /** The stored form. */
  stored: Record<string, string>;
  /** The JSON member that shows it in the answer; undefined if the answer does not show it. */
  member: string | undefined;
};

export function makeSecret(kind: Exclude<SecretKind, "portal-link">, master: MasterKey): Secret {
  if (kind === "signing-secret") {
    const text = `whsec_${randomBytes(32).toString("base64")}`;
    const secretSealed = seal(master.sealing, "webhook-secret", text).toString("hex");
    const secretDigest = digestOf(text).toString("hex"); // identifies a hook; unused for an endpoint
    return { stored: { secretSealed, secretDigest }, member: `"secret":${JSON.stringify(text)}` };
  }
  if (kind === "invitation-token") {
    const { text, digest } = makeCredential("bsi");
    const tokenSealed = seal(master.invitations, "invitation-token", text).toString("hex");
    return { stored: { tokenDigest: digest.toString("hex"), tokenSealed }, member: undefined };
  }
  const { text, prefix, digest } = makeCredential("bsk");
  return { stored: { prefix, digest: digest.toString("hex") }, member: `"key":${JSON.stringify(text)}` };
}

/** The link to the portal. @param portalUrl its address, without a trailing slash */
export function makePortalLink(portalUrl: string): Secret {
  const { text, digest } = makeCredential("bsl");
  // Browsers send a fragment to no server and to no other site.
  return { stored: { linkDigest: digest.toString("hex") }, member: `"url":${JSON.stringify(`${portalUrl}/#${text}`)}` };
}

/** The secret that the operation creates, if it creates one. */
export function secretOf(
  { secret }: Pick<Operation, "secret">,
  { master, portalUrl }: { master: MasterKey; portalUrl: string },
): Secret | undefined {
  if (secret === "portal-link") return makePortalLink(portalUrl);
  return secret && makeSecret(secret, master);
}

/** Sealed secrets can be opened only with the same bearer and Idempotency-Key. */
export type Caller = { bearer: string; idempotencyKey: string };

/** Seals the members that an answer shows, in the order of its rows; returns undefined if it shows none. */
export function sealMembers(members: (string | undefined)[], caller: Caller): Buffer | undefined {
  if (members.every((member) => member === undefined)) return undefined;
  const text = JSON.stringify(members.map((member) => member ?? null));
  return seal(replayKey(caller.bearer, caller.idempotencyKey), "shown-once", text);
}

/** Opens what `sealMembers` sealed. @throws Error if it was sealed for another caller. */
export function openMembers(sealed: Buffer, caller: Caller): (string | undefined)[] {
  const text = open(replayKey(caller.bearer, caller.idempotencyKey), "shown-once", sealed);
  return (JSON.parse(text) as (string | null)[]).map((member) => member ?? undefined);
}

/** Adds the secret as the row's last member, for the first answer and each replay. */
export function withMember(row: string, member: string | undefined): string {
  return member === undefined ? row : `${row.slice(0, -1)},${member}}`;
}
