/** The session cookie (HttpOnly, SameSite=Strict) and the CSRF token that is derived from it. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Idle time-out of a session, as in sql/operator/tokens.sql. */
const idleSeconds = 30 * 60;

const names = { http: "botstead-console", https: "__Host-botstead-console" };

/** The value of a set-cookie header. @param secure whether browsers reach the console by https */
export function cookie(session: string, secure: boolean): string {
  const name = secure ? names.https : names.http;
  const life = session === "" ? 0 : idleSeconds;
  return `${name}=${session}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}

/** The session cookie's value. With https only the __Host- name counts, because other hosts of the domain can set the other. */
export function sessionOf(request: IncomingMessage, secure: boolean): string | undefined {
  const ours = secure ? names.https : names.http;
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    if (name === ours) return value;
  }
  return undefined;
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
