/** What an MCP client that knows only the address of `/mcp` finds out. (docs/specification/oauth.md#discovery) */

import type { OAuthMetadata, OAuthProtectedResourceMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";
import { type RequestHandler, Router } from "express";
import { only } from "../../api/pages/methods.ts";
import { keyScope } from "../../contract/key-fields.ts";

const resourcePath = "/.well-known/oauth-protected-resource/mcp";
const serverPath = "/.well-known/oauth-authorization-server";

/** The address of the MCP server: the resource that a token is for. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`;

/** The header of a 401 at `/mcp`. @param wasGiven whether the request had a token (RFC 6750, 3.1) */
export function challenge(baseUrl: string, wasGiven: boolean): string {
  const metadata = `resource_metadata="${baseUrl}${resourcePath}"`;
  return `Bearer ${wasGiven ? `error="invalid_token", ${metadata}` : metadata}`;
}

export function metadataPages(baseUrl: string): Router {
  const protectedResource: OAuthProtectedResourceMetadata = {
    resource: resourceOf(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: keyScope.options,
    bearer_methods_supported: ["header"],
    resource_name: "Botstead",
    resource_documentation: `${baseUrl}/docs`,
  };
  const authorizationServer: OAuthMetadata = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: keyScope.options,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
  const router = Router({ strict: true, caseSensitive: true });
  router.get(resourcePath, document(protectedResource));
  router.get(serverPath, document(authorizationServer));
  router.all([resourcePath, serverPath], only("get"));
  return router;
}

const document =
  (content: object): RequestHandler =>
  (_request, response) => {
    response.set({ "cache-control": "public, max-age=3600", "x-content-type-options": "nosniff" }).json(content);
  };
