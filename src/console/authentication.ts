/**
 * Authenticates operators by a bearer token or a browser session. Each request checks the database, so revoking a token
 * ends its access and its sessions at once.
 */
import type { IncomingMessage } from "node:http";
import type { Pool } from "pg";
import { bearerOf, classOf, digestOf } from "../secrets/credentials.ts";
import { callerAddress } from "../web/head.ts";
import { type Bucket, makeRateLimiter, specified } from "../web/rate-limiter.ts";
import type { RefusedCredentials } from "../web/refused-credentials.ts";
import { consoleCookie } from "./cookie.ts";
import { Refusal } from "./refusal.ts";

export type Scope = "view" | "act";

export type Operator = {
  /** Name of the token, logged with each operator action. */
  name: string;
  scope: Scope;
  expiresAt: Date;
  /** SHA-256 of token or session. Every function of an operator action authenticates it again. */
  credential: Buffer;
  /** Value of the session cookie; undefined for a bearer token. */
  session: string | undefined;
};

export type Authentication = ReturnType<typeof makeAuthentication>;

/** Failed attempts per minute and address: enough for typing errors, too few for guessing. */
const failuresPerMinute = 10;

export type Site = {
  trustsProxy: (address: string) => boolean;
  /** Whether browsers use https. */
  secure: boolean;
  /** Whether API and console have only loopback names. */
  local: boolean;
};

export function makeAuthentication(pool: Pool, { trustsProxy, secure, local }: Site, refused: RefusedCredentials) {
  const addressOf = callerAddress(trustsProxy);
  const failures = makeRateLimiter(Date.now, { ...specified, address: failuresPerMinute });
  /** Digests of valid credentials: failures of others at the same address do not block them. */
  const known = new Set<string>();

  async function findOperator(credential: Buffer): Promise<Omit<Operator, "session" | "credential"> | undefined> {
    const { rows } = await pool.query<{ name: string | null; scope: Scope; expires_at: Date }>(
      "select name, scope, expires_at from operator.admit($1)",
      [credential],
    );
    const [row] = rows;
    return row?.name ? { name: row.name, scope: row.scope, expiresAt: row.expires_at } : undefined;
  }

  return {
    /**
     * The operator of this token or session.
     *
     * @throws Refusal `rate_limited` after too many failures from this address; `unauthenticated` otherwise
     */
    async admit(request: IncomingMessage, text: string | undefined, of: "bso" | "bss"): Promise<Operator> {
      const credential = text !== undefined && classOf(text) === of ? digestOf(text) : undefined;
      const digest = credential?.toString("latin1") ?? "";
      const address = addressOf(request);
      const bucket: Bucket = failures.ofAddress(address);
      const note = (isLimited: boolean) => {
        if (text) refused.note({ presented: { text }, address, isMisplaced: credential === undefined, isLimited });
      };
      if (!known.has(digest) && bucket.used >= bucket.limit) {
        note(true);
        throw new Refusal("rate_limited", { "retry-after": String(failures.secondsLeft()) });
      }
      const operator = credential && (await findOperator(credential));
      if (!credential || !operator) {
        known.delete(digest);
        // A request without a credential is no guess: browsers start that way.
        if (text !== undefined) failures.consume([bucket]);
        note(false);
        throw new Refusal("unauthenticated", { "www-authenticate": "Bearer" });
      }
      if (known.size >= 1_000) known.clear();
      known.add(digest);
      return { ...operator, credential, session: of === "bss" ? text : undefined };
    },

    /** The operator of the request's bearer token or else its cookie. @throws Refusal as `admit` */
    admitRequest(request: IncomingMessage): Promise<Operator> {
      const bearer = bearerOf(request);
      if (bearer !== undefined) return this.admit(request, bearer, "bso");
      return this.admit(request, consoleCookie(secure).sessionOf(request), "bss");
    },

    /**
     * Whether this request may read /metrics: with an operator token, or, for a local service, from this machine. A
     * service with a public name may have a proxy on this machine that forwards requests without a header.
     */
    async canReadMetrics(request: IncomingMessage): Promise<boolean> {
      const { headers } = request;
      const forwarded = headers.forwarded ?? headers["x-forwarded-for"] ?? headers.via;
      if (local && forwarded === undefined && isLoopback(request.socket.remoteAddress)) return true;
      return this.admitRequest(request).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal) return false;
          throw error;
        },
      );
    },
  };
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
