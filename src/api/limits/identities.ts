/**
 * A cache of the key and organisation of each credential, for rate limits, pool fairness and the last use of keys only. The
 * database authenticates every call. A credential is known per address: a key may be accepted from some addresses only, and is
 * an unknown one to callers elsewhere.
 */
import { BoundedMap } from "./bounded-map.ts";

export type Identity = {
  keyId: string;
  organisationId: string | null;
  /** The key's own rate limit. */
  ratePerMinute?: number | null | undefined;
  /** When the database last returned them, on the clock of `performance.now`. */
  learnedAt?: number;
  /** With shared rate limits: whether the last call used up a limit, and whether it was refused. */
  isFull?: boolean;
  wasRefused?: boolean;
  /** When a call last noted the use of the key, on the clock of `performance.now`. */
  notedAt?: number;
};
export type Identities = ReturnType<typeof makeIdentities>;

/** The use of a key is written at most once a minute. (docs/specification/keys.md) */
const noteAfterMs = 60_000;
/** A changed rate limit of a key applies after this time at the latest. (docs/specification/keys.md#restrictions) */
const learnAfterMs = 60_000;

/** A credential from an address, as the key of a map. */
export function callerKey(credential: Buffer, address: string | undefined): string {
  return credential.toString("latin1") + (address ?? "");
}

export function makeIdentities(maxEntries = 10_000, now = () => performance.now()) {
  const known = new BoundedMap<Identity>(maxEntries);
  return {
    get: (credential: Buffer, address: string | undefined): Identity | undefined =>
      known.get(callerKey(credential, address)),
    store(credential: Buffer, address: string | undefined, identity: Identity): Identity {
      const text = callerKey(credential, address);
      const stored = { ...known.get(text), ...identity, learnedAt: now() };
      known.set(text, stored);
      return stored;
    },
    /** Whether the database should be asked for the identity again. */
    isStale({ learnedAt = 0 }: Identity): boolean {
      return now() - learnedAt >= learnAfterMs;
    },
    /** Whether the next call should note the use of the key. */
    isUseDue(identity: Identity | undefined): boolean {
      return identity?.notedAt === undefined || now() - identity.notedAt >= noteAfterMs;
    },
    /** After a call that noted the use. */
    useNoted(credential: Buffer, address: string | undefined): void {
      const identity = known.get(callerKey(credential, address));
      if (identity) identity.notedAt = now();
    },
    forget(credential: Buffer, address: string | undefined): void {
      known.delete(callerKey(credential, address));
    },
  };
}
