/**
 * Which key and organisation a credential belongs to, as this process has learnt it. It serves the buckets and nothing
 * else: whether the credential is still good is asked of the database at every call.
 */
export type Identity = { keyId: string; organisationId: string | null };
export type Identities = ReturnType<typeof makeIdentities>;

/** Keeps the most recently learnt; bounded, since credentials come from outside. */
export function makeIdentities(most = 10_000) {
  const known = new Map<string, Identity>();
  return {
    get: (credential: Buffer): Identity | undefined => known.get(credential.toString("latin1")),
    remember(credential: Buffer, identity: Identity): Identity {
      known.set(credential.toString("latin1"), identity);
      const oldest = known.keys().next();
      if (known.size > most && !oldest.done) known.delete(oldest.value);
      return identity;
    },
    forget(credential: Buffer): void {
      known.delete(credential.toString("latin1"));
    },
  };
}
