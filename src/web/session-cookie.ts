/** Session cookies (HttpOnly, SameSite=Strict) and the CSRF tokens that are derived from them. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";

export type CookieSettings = {
  /** Without the prefix __Host-. */
  name: string;
  /** Whether browsers reach the pages by https. */
  secure: boolean;
  /** Whether pages of other sites may embed these: then browsers send the cookie to them too, one for each such site. */
  embedded?: boolean;
};

export type SessionCookie = {
  /** The value of a set-cookie header. An empty session deletes the cookie. */
  header(session: string, maxAgeSeconds: number): string;
  /** The cookie's value. With https only the __Host- name counts, because other hosts of the domain can set the other. */
  sessionOf(request: IncomingMessage): string | undefined;
};

export function sessionCookie({ name, secure, embedded = false }: CookieSettings): SessionCookie {
  const fullName = secure ? `__Host-${name}` : name;
  const isForeign = embedded && secure;
  return {
    header: (session, maxAgeSeconds) =>
      stringifySetCookie({
        name: fullName,
        value: session,
        path: "/",
        maxAge: session === "" ? 0 : maxAgeSeconds,
        httpOnly: true,
        sameSite: isForeign ? "none" : "strict",
        ...(isForeign ? { partitioned: true } : {}),
        secure,
      }),
    sessionOf: ({ headers }) => (headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[fullName]),
  };
}

/** Derived from the session and stored nowhere. Only pages of the same origin can read it. */
export function csrfToken(session: string): string {
  return createHmac("sha256", session).update("botstead csrf v1").digest("base64url");
}

export function isCsrfToken(token: string | undefined, session: string): boolean {
  const expected = Buffer.from(csrfToken(session));
  const actual = Buffer.from(token ?? "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
