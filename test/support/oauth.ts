/** OAuth at the test's API: a host of client documents, and a person who answers the consent page over HTTP. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { type Json, type TestApi, testApi } from "./api.ts";
import type { ApiOfFile } from "./callers.ts";
import { enter, type PortalSession } from "./portal-session.ts";
import { type Receiver, type Respond, startReceiver } from "./receiver.ts";

export const redirectUri = "http://127.0.0.1:33418/callback";
const webCallback = "https://app.example.com/callback";

export type HostOfClients = {
  readonly documents: Receiver;
  /** With these the API reaches the host, and trusts it. */
  readonly settings: Record<string, string>;
  /** A client whose document has these members too. */
  client(more?: object): string;
  /** A client whose host answers so. */
  answering(respond: Respond): string;
};

/** An HTTPS server with documents of clients, for the tests of a file. */
export function hostOfClients(): HostOfClients {
  const answers = new Map<string, Respond>();
  let documents: Receiver;
  const folder = mkdtempSync(join(tmpdir(), "botstead-oauth-"));
  const caFile = join(folder, "ca.pem");
  beforeAll(async () => {
    documents = await startReceiver({
      respond: (request, response) => {
        const respond = answers.get(request.url ?? "");
        if (respond) respond(request, response);
        else response.writeHead(404).end();
      },
    });
    writeFileSync(caFile, documents.ca);
  });
  afterAll(async () => {
    await documents?.close();
    rmSync(folder, { recursive: true });
  });
  let made = 0;
  const answering = (respond: Respond) => {
    const path = `/clients/${++made}.json`;
    answers.set(path, respond);
    return documents.url + path;
  };
  return {
    get documents() {
      return documents;
    },
    settings: { WEBHOOK_ALLOW_RANGES: "127.0.0.0/8", WEBHOOK_CA_FILE: caFile },
    answering,
    client(more = {}) {
      const id = answering((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
      });
      const document = {
        ...{ client_id: id, client_name: "Elephant Desk", redirect_uris: [redirectUri, webCallback] },
        ...{ grant_types: ["authorization_code"], response_types: ["code"], token_endpoint_auth_method: "none" },
        ...more,
      };
      return id;
    },
  };
}

export type OAuth = Pick<HostOfClients, "client"> & {
  readonly api: TestApi;
  /** The address of the MCP server. */
  readonly resource: string;
};

/** The API at an address that its settings name, beside a host of clients. */
export function oauthOfFile(here: ApiOfFile): OAuth & HostOfClients {
  const host = hostOfClients();
  let api: TestApi;
  beforeAll(async () => {
    const port = String(await freePort());
    api = await testApi(here.db, { ...host.settings, PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
  });
  afterAll(() => api?.stop());
  return {
    ...{ settings: host.settings, client: host.client, answering: host.answering },
    get documents() {
      return host.documents;
    },
    get api() {
      return api;
    },
    get resource() {
      return `${api.url}/mcp`;
    },
  };
}

export const pkce = () => {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
};

/** The query of an authorization request. */
export const queryOf = (
  { resource }: Pick<OAuth, "resource">,
  clientId: string,
  challenge: string,
  more: Record<string, string> = {},
) =>
  new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "as sent" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", resource, ...more },
  });

export type Shown = { status: number; text: string; location: URL | undefined; headers: Headers };

const shown = async (response: Response): Promise<Shown> => {
  const location = response.headers.get("location");
  const { status, headers } = response;
  return { status, headers, text: await response.text(), location: location === null ? undefined : new URL(location) };
};

export const openConsent = async (api: TestApi, session: PortalSession | undefined, query: URLSearchParams) =>
  shown(
    await fetch(`${api.url}/portal/consent?${query}`, {
      redirect: "manual",
      headers: session ? { cookie: session.cookie } : {},
    }),
  );

/** The name that the page shows for a client of `hostOfClients`. */
const keyName = (query: URLSearchParams): string => {
  const host = URL.parse(query.get("client_id") ?? "")?.host;
  return host === undefined ? "" : `Elephant Desk (${host})`;
};

export const answerConsent = async (
  api: TestApi,
  session: PortalSession,
  query: URLSearchParams,
  form: Record<string, string> = {},
) =>
  shown(
    await fetch(`${api.url}/portal/consent?${query}`, {
      ...{ method: "POST", redirect: "manual", headers: { cookie: session.cookie } },
      body: new URLSearchParams({
        ...{ csrf: session.csrf, answer: "allow", name: keyName(query), scope: "read", days: "30" },
        ...form,
      }),
    }),
  );

export type Exchanged = { status: number; body: Json; headers: Headers };

export async function exchange(api: TestApi, form: Record<string, string>): Promise<Exchanged> {
  const response = await fetch(`${api.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

/** A code with the form that exchanges it. */
export async function consented(
  at: OAuth,
  session: PortalSession,
  form: Record<string, string> = {},
  clientId = at.client(),
): Promise<Record<string, string>> {
  const { verifier, challenge } = pkce();
  const { status, location, text } = await answerConsent(at.api, session, queryOf(at, clientId, challenge), form);
  expect([status, text]).toEqual([303, ""]);
  return {
    ...{ grant_type: "authorization_code", code: location?.searchParams.get("code") ?? "", client_id: clientId },
    ...{ redirect_uri: redirectUri, code_verifier: verifier, resource: at.resource },
  };
}

/** A session of the API at its address. */
export async function sessionAt(api: TestApi, link: { url: string }): Promise<PortalSession> {
  const response = await enter(api.url, link.url);
  expect(response.status).toBe(200);
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  return { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "", csrf: csrfToken };
}
