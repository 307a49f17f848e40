/**
 * The session of a browser: a cookie that no script can read and no other site's page can send, and a token against
 * forged calls that follows from it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** As long as a session lives without being used (sql/operator/tokens.sql). */
const idleSeconds = 30 * 60;

const names = { http: "botstead-console", https: "__Host-botstead-console" };

/** The value of a set-cookie header. @param secure whether browsers reach the console by https */
export function cookie(session: string, secure: boolean): string {
  const name = secure ? names.https : names.http;
  const life = session === "" ? 0 : idleSeconds;
  return `${name}=${session}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}

/** What the cookie of this request holds. Where it is secure, the other name is not read: any host of the domain can set it. */
export function sessionOf(request: IncomingMessage, secure: boolean): string | undefined {
  const ours = secure ? names.https : names.http;
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    if (name === ours) return value;
  }
  return undefined;
}

/** Only who may read answers of the console has it: it is derived from what the cookie holds, and kept nowhere. */
export function csrfToken(session: string): string {
  return createHmac("sha256", session).update("botstead console csrf v1").digest("base64url");
}

export function isCsrfToken(given: string | undefined, session: string): boolean {
  const expected = Buffer.from(csrfToken(session));
  const got = Buffer.from(given ?? "");
  return got.length === expected.length && timingSafeEqual(got, expected);
}
