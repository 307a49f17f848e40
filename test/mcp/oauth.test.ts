/**
 * The SDK's own client connects to `/mcp` with nothing but its address; a person consents in the portal. The token is an API
 * key. (docs/specification/oauth.md)
 */
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { postToMcp } from "../support/mcp.ts";
import { answerConsent, consented, exchange, oauthOfFile, redirectUri, sessionAt } from "../support/oauth.ts";
import { opening } from "../support/opened.ts";
import { portalSessionsOf } from "../support/portal-session.ts";

const here = apiOfFile();
const at = oauthOfFile(here);
const { aLink } = portalSessionsOf(here);

const aSession = async (ada: Member, body: object = {}) => sessionAt(at.api, await aLink(ada, body));

/** Stores in memory what an application would store. */
function provider(clientMetadataUrl: string) {
  const stored: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; opened?: URL } = {};
  const given: OAuthClientProvider = {
    clientMetadataUrl,
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "Elephant Desk", redirect_uris: [redirectUri] },
    state: () => "a state of the client",
    clientInformation: () => stored.client,
    saveClientInformation: (client) => void Object.assign(stored, { client }),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => void Object.assign(stored, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(stored, { opened: url }),
    saveCodeVerifier: (verifier) => void Object.assign(stored, { verifier }),
    codeVerifier: () => stored.verifier ?? "",
  };
  return { stored, given };
}

const connecting = (authProvider: OAuthClientProvider, path = "/mcp") => {
  const client = opening(new Client({ name: "test", version: "1" }));
  const transport = new StreamableHTTPClientTransport(new URL(at.api.url + path), { authProvider });
  return { transport, connect: () => client.connect(transport as Parameters<typeof client.connect>[0]), client };
};

test.each(["/mcp", "/mcp?tools=all"])(
  "the SDK's client that knows only %s is led to consent, and then calls tools",
  async (path) => {
    const ada = await here.owner();
    const session = await aSession(ada);
    const { stored, given } = provider(at.client());
    const first = connecting(given, path);
    await expect(first.connect()).rejects.toThrow(UnauthorizedError);
    expect(stored.opened?.origin).toBe(at.api.url);
    const led = await fetch(stored.opened ?? "", { redirect: "manual" });
    expect(led.headers.get("refresh")).toMatch(/^0; url=\/portal\/consent\?response_type=code&/);

    const answered = await answerConsent(at.api, session, stored.opened?.searchParams ?? new URLSearchParams(), {
      scope: "write",
    });
    const { searchParams } = answered.location as URL;
    expect(answered.location?.href).toMatch(`${redirectUri}?code=bsc_`);
    expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["a state of the client", at.api.url]);
    await first.transport.finishAuth(searchParams.get("code") ?? "");
    expect(stored.tokens).toMatchObject({ token_type: "Bearer", scope: "write", expires_in: expect.any(Number) });

    const { client, connect } = connecting(given, path);
    await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain(path === "/mcp" ? "call_read_operation" : "list_bots");
    const me = await at.api.call("GET", "/me", { key: stored.tokens?.access_token });
    expect(me.body).toMatchObject({ organisation: { id: ada.organisation.id }, key: { scope: "write" } });
  },
);

test("the token is a key in the list, named after the client and its host, and the audit log has who consented", async () => {
  const ada = await here.owner();
  const form = await consented(at, await aSession(ada), { scope: "admin", days: "7" });
  const { status, body, headers } = await exchange(at.api, form);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^bsk_/),
    token_type: "Bearer",
    expires_in: expect.any(Number),
    scope: "admin",
  });
  const [key] = (await ada.get("/keys")).body.data;
  expect(key).toMatchObject({
    ...{ name: `Elephant Desk (localhost:${at.documents.port})`, scope: "admin", createdBy: ada.organisation.ownerId },
    ...{ prefix: body.access_token.slice(0, 12), usable: true, allowedIps: null },
  });
  const life = Date.parse(key.expiresAt) - Date.parse(key.createdAt);
  expect(Math.abs(life - 7 * 86_400_000)).toBeLessThan(1_000);
  expect(Math.abs(body.expires_in - 7 * 86_400)).toBeLessThan(60);
  const { data } = (await ada.get("/audit")).body;
  const entry = data.find(({ resourceId }: Json) => resourceId === key.id);
  expect(entry).toMatchObject({
    resource: "key",
    action: "created",
    actor: "portal_session",
    userId: ada.organisation.ownerId,
  });
  await ada.delete(`/keys/${key.id}`);
  const refused = await postToMcp(at.api.url, { authorization: `Bearer ${body.access_token}` });
  expect(refused.status).toBe(401);
});

test("the challenge is at /mcp alone: a 401 of /api/v1 has the bytes and headers that it had", async () => {
  const metadata = `resource_metadata="${at.api.url}/.well-known/oauth-protected-resource/mcp"`;
  const unknown = { authorization: "Bearer bsk_unknown" };
  const [bare, given] = [await postToMcp(at.api.url, {}), await postToMcp(at.api.url, unknown)];
  expect(bare.headers.get("www-authenticate")).toBe(`Bearer ${metadata}`);
  expect(given.headers.get("www-authenticate")).toBe(`Bearer error="invalid_token", ${metadata}`);
  for (const headers of [{}, unknown]) {
    const refused = await fetch(`${at.api.url}/api/v1/bots`, { headers });
    const { requestId } = ((await refused.clone().json()) as Json).error;
    expect(await refused.text()).toBe(
      `{"error":{"code":"unauthenticated","message":"The request has no credential that this operation accepts.","requestId":"${requestId}"}}`,
    );
    const kept = [...refused.headers]
      .filter(([name]) => !["date", "connection", "keep-alive"].includes(name))
      .toSorted();
    expect(kept).toEqual([
      ["cache-control", "private, no-store"],
      ["content-length", expect.any(String)],
      ["content-type", "application/json"],
      ["www-authenticate", "Bearer"],
      ["x-content-type-options", "nosniff"],
      ["x-request-id", requestId],
    ]);
  }
});

test("the metadata documents describe the server, and no answer allows other origins", async () => {
  const read = async (path: string, init = {}) =>
    fetch(`${at.api.url}${path}`, { headers: { origin: "https://a.example" }, ...init });
  const resource = await read("/.well-known/oauth-protected-resource/mcp");
  expect(await resource.json()).toMatchObject({
    ...{
      resource: `${at.api.url}/mcp`,
      authorization_servers: [at.api.url],
      scopes_supported: ["read", "write", "admin"],
    },
  });
  const server = await read("/.well-known/oauth-authorization-server");
  expect(await server.json()).toMatchObject({
    ...{
      issuer: at.api.url,
      authorization_endpoint: `${at.api.url}/oauth/authorize`,
      token_endpoint: `${at.api.url}/oauth/token`,
    },
    ...{ code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] },
    ...{ client_id_metadata_document_supported: true, authorization_response_iss_parameter_supported: true },
    grant_types_supported: ["authorization_code"],
  });
  const token = await read("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({ grant_type: "authorization_code" }),
  });
  for (const { headers } of [resource, server, token]) expect(headers.get("access-control-allow-origin")).toBeNull();
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/openid-configuration"])
    expect((await read(path)).status).toBe(404);
});

test("a token of a session that an address-limited key opened is limited to the same addresses", async () => {
  const ada = await here.owner();
  await here.db.sql("update app.api_keys set allowed_ips = '{127.0.0.0/8}' where id = $1", [ada.key.id]);
  expect((await exchange(at.api, await consented(at, await aSession(ada)))).status).toBe(200);
  const [key] = (await ada.get("/keys")).body.data;
  expect(key.allowedIps).toEqual(["127.0.0.0/8"]);
});
