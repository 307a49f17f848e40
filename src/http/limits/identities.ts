/**
 * A cache of the key and organisation of each credential, for rate limits and pool fairness only. The database authenticates
 * every call.
 */
export type Identity = {
  keyId: string;
  organisationId: string | null;
  /** With shared rate limits: whether the last call left no request of one, and whether it was refused. */
  isFull?: boolean;
  wasRefused?: boolean;
};
export type Identities = ReturnType<typeof makeIdentities>;

/** Bounded, and evicts the oldest entry. */
export function makeIdentities(maxEntries = 10_000) {
  const known = new Map<string, Identity>();
  return {
    get: (credential: Buffer): Identity | undefined => known.get(credential.toString("latin1")),
    store(credential: Buffer, identity: Identity): Identity {
      known.set(credential.toString("latin1"), identity);
      const oldest = known.keys().next();
      if (known.size > maxEntries && !oldest.done) known.delete(oldest.value);
      return identity;
    },
    forget(credential: Buffer): void {
      known.delete(credential.toString("latin1"));
    },
  };
}
