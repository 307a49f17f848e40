/** The session cookie (HttpOnly, SameSite=Strict) and the CSRF token that is derived from it. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";

/** Idle time-out of a session, as in sql/operator/tokens.sql. */
const idleSeconds = 30 * 60;

const nameOf = (secure: boolean) => (secure ? "__Host-botstead-console" : "botstead-console");

/** The value of a set-cookie header. @param secure whether browsers reach the console by https */
export function cookie(session: string, secure: boolean): string {
  return stringifySetCookie({
    name: nameOf(secure),
    value: session,
    path: "/",
    maxAge: session === "" ? 0 : idleSeconds,
    httpOnly: true,
    sameSite: "strict",
    secure,
  });
}

/** The session cookie's value. With https only the __Host- name counts, because other hosts of the domain can set the other. */
export function sessionOf(request: IncomingMessage, secure: boolean): string | undefined {
  return parseCookie(request.headers.cookie ?? "")[nameOf(secure)];
}

/** Derived from the session and stored nowhere. Only pages of the console can read it. */
export function csrfToken(session: string): string {
  return createHmac("sha256", session).update("botstead console csrf v1").digest("base64url");
}

export function isCsrfToken(token: string | undefined, session: string): boolean {
  const expected = Buffer.from(csrfToken(session));
  const actual = Buffer.from(token ?? "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
