/** A session in the portal over HTTP, as a browser has it: a cookie and a CSRF token. */
import { expectAnswer } from "./answers.ts";
import type { Json } from "./api.ts";
import type { ApiOfFile, Member } from "./callers.ts";

export type PortalSession = { cookie: string; csrf: string };

/** Uses the token of a link. @param cookie that the browser has before */
export const enter = (apiUrl: string, url: string, cookie?: string): Promise<Response> =>
  fetch(`${apiUrl}/portal/enter`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(cookie ? { cookie } : {}) },
    body: JSON.stringify({ token: new URL(url).hash.slice(1) }),
  });

/** @throws unless the link opens a session */
export async function openSession(apiUrl: string, url: string): Promise<PortalSession> {
  const response = await enter(apiUrl, url);
  expect(response.status).toBe(200);
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  return { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "", csrf: csrfToken };
}

type Given = { method?: string; body?: unknown; csrf?: string | undefined; headers?: Record<string, string> };

export async function callAs(
  apiUrl: string,
  session: PortalSession,
  path: string,
  { method = "GET", body, csrf = session.csrf, headers = {} }: Given = {},
) {
  const response = await fetch(`${apiUrl}/api/v1${path}`, {
    method,
    headers: {
      cookie: session.cookie,
      ...(method === "GET" ? {} : { "x-csrf-token": csrf, "idempotency-key": crypto.randomUUID() }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: (response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : null) as Json,
    headers: response.headers,
  };
}

type Link = { id: string; url: string };
type Call = Parameters<typeof callAs> extends [string, PortalSession, ...infer Rest] ? Rest : never;

/** Links and sessions of the API of a test file. */
export function portalSessionsOf(here: ApiOfFile) {
  const aLink = async (ada: Member, body: object = {}): Promise<Link> =>
    expectAnswer("create_portal_session", await ada.post("/portal-sessions", body));
  return {
    aLink,
    aSession: async (ada: Member, body: object = {}): Promise<PortalSession & { id: string }> => {
      const link = await aLink(ada, body);
      return { id: link.id, ...(await openSession(here.api.url, link.url)) };
    },
    as: (session: PortalSession, ...call: Call) => callAs(here.api.url, session, ...call),
    /** @param cookie that the browser has before */
    enter: ({ url }: Link, cookie?: string) => enter(here.api.url, url, cookie),
  };
}
