/**
 * Who asks: the holder of an operator's token, sent as a bearer, or a browser in which one signed in. The database is
 * asked at every call, so a token that was revoked is out at once, and its sessions with it.
 */
import type { IncomingMessage } from "node:http";
import type { Pool } from "pg";
import { type Bucket, makeBuckets, specified } from "../http/buckets.ts";
import { callerAddress } from "../http/caller-address.ts";
import { classOf, digestOf } from "../secrets/credentials.ts";
import { sessionOf } from "./cookie.ts";
import { Refusal } from "./refusal.ts";

export type Scope = "view" | "act";

export type Operator = {
  /** The token's name, which stands beside whatever is done with it. */
  name: string;
  scope: Scope;
  expiresAt: Date;
  /** SHA-256 of what was sent: by it every function of schema operator asks once more who this is. */
  credential: Buffer;
  /** What the browser's cookie holds; undefined for a bearer. */
  session: string | undefined;
};

export type Admission = ReturnType<typeof makeAdmission>;

/** Refused attempts a minute and address. Enough for a person who mistypes, and nothing for whoever guesses. */
const failuresPerMinute = 10;

/** @param secure whether browsers reach the console by https */
export function makeAdmission(pool: Pool, trustsProxy: (address: string) => boolean, secure: boolean) {
  const failures = makeBuckets(Date.now, { ...specified, address: failuresPerMinute });
  /** Digests that were good: who holds one is not shut out by others who fail from the same address. */
  const known = new Set<string>();

  async function ask(credential: Buffer): Promise<Omit<Operator, "session" | "credential"> | undefined> {
    const { rows } = await pool.query<{ name: string | null; scope: Scope; expires_at: Date }>(
      "select name, scope, expires_at from operator.admit($1)",
      [credential],
    );
    const [found] = rows;
    return found?.name ? { name: found.name, scope: found.scope, expiresAt: found.expires_at } : undefined;
  }

  const ofCaller = (request: IncomingMessage): Bucket => failures.ofAddress(callerAddress(request, trustsProxy));

  return {
    /**
     * The operator who holds this token or session.
     *
     * @throws Refusal `rate_limited` after too many failures from this address; `unauthenticated` otherwise
     */
    async admit(request: IncomingMessage, text: string | undefined, of: "bso" | "bss"): Promise<Operator> {
      const credential = text !== undefined && classOf(text) === of ? digestOf(text) : undefined;
      const remembered = credential?.toString("latin1") ?? "";
      const bucket = ofCaller(request);
      if (!known.has(remembered) && bucket.used >= bucket.limit) {
        throw new Refusal("rate_limited", { "retry-after": String(failures.secondsLeft()) });
      }
      const operator = credential && (await ask(credential));
      if (!credential || !operator) {
        known.delete(remembered);
        // Whoever sends nothing guesses nothing: it is how a browser arrives.
        if (text !== undefined) failures.spend([bucket]);
        throw new Refusal("unauthenticated", { "www-authenticate": "Bearer" });
      }
      if (known.size >= 1_000) known.clear();
      known.add(remembered);
      return { ...operator, credential, session: of === "bss" ? text : undefined };
    },

    /** By what the request carries: a bearer's token, or else the browser's cookie. @throws Refusal as `admit` */
    admitRequest(request: IncomingMessage): Promise<Operator> {
      const bearer = bearerOf(request);
      if (bearer !== undefined) return this.admit(request, bearer, "bso");
      return this.admit(request, sessionOf(request, secure), "bss");
    },

    /**
     * Whether this request may read figures of the process, as /metrics shows them: with an operator's token, or from
     * this machine itself. What a proxy passes on does not come from this machine.
     */
    async mayReadFigures(request: IncomingMessage): Promise<boolean> {
      const { headers } = request;
      const passedOn = headers.forwarded ?? headers["x-forwarded-for"] ?? headers.via;
      if (passedOn === undefined && isLoopback(request.socket.remoteAddress)) return true;
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

function bearerOf(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers;
  return authorization === undefined ? undefined : (authorization.match(/^bearer +(\S+) *$/i)?.[1] ?? "");
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
