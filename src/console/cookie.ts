/** The session cookie of the console. */
import { type SessionCookie, sessionCookie } from "../web/session-cookie.ts";

/** Idle time-out of a session, as in sql/operator/tokens.sql. */
export const idleSeconds = 30 * 60;

/** @param secure whether browsers reach the console by https */
export const consoleCookie = (secure: boolean): SessionCookie => sessionCookie({ name: "botstead-console", secure });
