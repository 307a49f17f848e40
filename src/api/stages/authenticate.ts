/**
 * The credential of a request: a bearer token, or the session of an extension's cookie. Hooks have signatures instead: hook-inbox.ts.
 * The database authenticates every call. This process checks the form, and remembers the key and organisation.
 */
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { uuid } from "../../contract/fields.ts";
import type { Operation } from "../../contract/operation.ts";
import { bearerOf, type CredentialClass, classOf, digestOf } from "../../secrets/credentials.ts";
import type { Refusal } from "../../web/refused-credentials.ts";
import type { Answer, Authenticate, Request } from "../request.ts";

const classes: Partial<Record<Operation["keyClass"], CredentialClass>> = {
  organisation: "bsk",
  platform: "bsp",
  portal_link: "bsl",
  authorization_code: "bsc",
  invitation: "bsi",
  approval: "bsa",
};

/** The class of the credentials that the operation accepts. */
const acceptedClass = ({ portalSession, operation }: Pick<Request, "portalSession" | "operation">) =>
  portalSession ? sessionClass(operation) : classes[operation.keyClass];

/** A session of the portal is accepted as a cookie only. */
const sessionClass = ({ keyClass }: Operation) =>
  keyClass === "organisation" || keyClass === "portal_session" ? "bsx" : undefined;

/** Whether the credential is live, the database decides. */
export const authenticate: Authenticate = (request) => {
  const { bearer, digest, forged } = request;
  if (!bearer || classOf(bearer) !== acceptedClass(request)) return { code: "unauthenticated" };
  request.credential = digest ?? digestOf(bearer);
  if (forged) request.problem = { code: "forbidden", reason: "csrf_token_missing" };
  return undefined;
};

type Presented = Pick<Request, "bearer" | "portalSession" | "forged">;

/** What a request without a bearer token presents instead. */
export type Present = (request: IncomingMessage) => Presented | undefined;

export function presentedBy(request: IncomingMessage, present: Present | undefined): Presented {
  const bearer = bearerOf(request);
  return (bearer === undefined ? present?.(request) : undefined) ?? { bearer };
}

/** The refusal of a credential, for the record of refused credentials. Undefined if the request has no credential, or its credential was accepted. */
export function refusalOf(request: Request, { code, caller }: Answer): Refusal | undefined {
  const isLimited = code === "rate_limited" && caller === undefined;
  if (code !== "unauthenticated" && !isLimited) return undefined;
  const { bearer, address, operation, params } = request;
  if (operation.keyClass === "hook") {
    const hookId = uuid.safeParse(params.id);
    const presented = hookId.success ? { hookId: hookId.data } : { text: "" };
    return { presented, address, isMisplaced: false, isLimited };
  }
  if (bearer === undefined || bearer === "") return undefined;
  const found = classOf(bearer);
  return { presented: { text: bearer }, address, isMisplaced: found !== acceptedClass(request), isLimited };
}

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

/**
 * The key and organisation of each credential, for rate limits, pool fairness and the last use of keys only. A credential is known
 * per address: a key may be accepted from some addresses only, and is an unknown one to callers elsewhere.
 */
export function makeIdentities(maxEntries = 10_000, now = () => performance.now()) {
  const known = new LRUCache<string, Identity>({ max: maxEntries });
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
