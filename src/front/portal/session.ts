/** The portal session: entered once by the link's token, then known by its cookie. */

import { ApiError, api, request, useSessionOf } from "../parts/api.ts";
import type { Schemas } from "./schemas.ts";

export type Session = {
  id: string;
  organisation: { id: string; name: string };
  person: { id: string; name: string; email: string };
  role: string;
  readOnly: boolean;
  /** An operator of the service made the link, to view the portal as the person. */
  byOperator: boolean;
  /** Another person opened the session: it shows nothing private of the person and acts in no name. */
  forAnother: boolean;
  /** Names of the operations that the session may call, by section. */
  operations: Partial<Record<Schemas["PortalSection"], string[]>>;
  /** Limits of the organisation, as in `GET /me`. */
  limits: Schemas["Me"]["limits"];
  /** Whether the organisation has a stream that the session may read. Most have none, and its operation would answer 404. */
  hasAuditStream: boolean;
  returnUrl: string | null;
  expiresAt: string;
};

/** Kept until it is exchanged. The address loses it at once, so that it stays in no history. */
let tokenOfLink = location.hash.slice(1);
if (tokenOfLink !== "") history.replaceState(null, "", location.pathname);

/**
 * Exchanges the token of the address, if there is one, and reads the session.
 *
 * @param events as in useSessionOf
 * @returns undefined without a session
 */
export async function enterSession(events: Parameters<typeof useSessionOf>[1]): Promise<Session | undefined> {
  const token = tokenOfLink;
  if (token !== "") {
    await request("POST", "/portal/enter", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    }).catch((error) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error; // a used link: a session may exist already
    });
    tokenOfLink = "";
  }
  try {
    const session = await readSession();
    const csrf = await request("GET", "/portal/csrf");
    useSessionOf((await csrf.json()).csrfToken, events);
    return session;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

export const readSession = () => api<Session>("GET", "/portal-session");

/** Whether the person may do other things than in the earlier session, because of a change of role. */
export const isChanged = (one: Session, other: Session): boolean =>
  one.role !== other.role || JSON.stringify(one.operations) !== JSON.stringify(other.operations);

export async function leaveSession(): Promise<void> {
  await api("DELETE", "/portal-session");
}
