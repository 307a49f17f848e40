/**
 * A cache of the key and organisation of each credential, for rate limits, pool fairness and the last use of keys only. The
 * database authenticates every call.
 */
export type Identity = {
  keyId: string;
  organisationId: string | null;
  /** With shared rate limits: whether the last call left no request of one, and whether it was refused. */
  isFull?: boolean;
  wasRefused?: boolean;
  /** When a call last noted the use of the key, on the clock of `performance.now`. */
  notedAt?: number;
};
export type Identities = ReturnType<typeof makeIdentities>;

/** The use of a key is written at most once a minute. (docs/specification/keys.md) */
const noteAfterMs = 60_000;

/** Bounded, and evicts the oldest entry. */
export function makeIdentities(maxEntries = 10_000, now = () => performance.now()) {
  const known = new Map<string, Identity>();
  return {
    get: (credential: Buffer): Identity | undefined => known.get(credential.toString("latin1")),
    store(credential: Buffer, identity: Identity): Identity {
      const text = credential.toString("latin1");
      const stored = { ...known.get(text), ...identity };
      known.set(text, stored);
      const oldest = known.keys().next();
      if (known.size > maxEntries && !oldest.done) known.delete(oldest.value);
      return stored;
    },
    /** Whether the next call should note the use of the key. */
    isUseDue(identity: Identity | undefined): boolean {
      return identity?.notedAt === undefined || now() - identity.notedAt >= noteAfterMs;
    },
    /** After a call that noted the use. */
    useNoted(credential: Buffer): void {
      const identity = known.get(credential.toString("latin1"));
      if (identity) identity.notedAt = now();
    },
    forget(credential: Buffer): void {
      known.delete(credential.toString("latin1"));
    },
  };
}
