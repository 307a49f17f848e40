/** The parameters of an authorization request. (docs/specification/oauth.md#request) */
import { keyScope } from "../../contract/key-fields.ts";
import type { Scope } from "../../contract/operation.ts";
import type { Client } from "./client.ts";
import { isRedirectUri, isRegistered } from "./redirect-uri.ts";

export type AuthorizationRequest = {
  redirectUri: string;
  state: string | undefined;
  codeChallenge: string;
  /** The scopes that the client asks for, narrowest first. */
  scopes: Scope[];
};

/** An error that the client may get, at its redirect address. */
export type Refused = {
  redirectUri: string;
  state: string | undefined;
  error: "invalid_request" | "unsupported_response_type" | "invalid_scope" | "invalid_target";
  /** A sentence for the client and the person. */
  description: string;
};

/** Undefined for a missing, empty or repeated parameter. */
export function parameter(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}

/** The redirect address, if it is one of the client's. Nothing is sent to any other. */
export function redirectUriOf(query: URLSearchParams, client: Client): string | undefined {
  const uri = parameter(query, "redirect_uri");
  return isRedirectUri(uri) && isRegistered(uri, client.redirectUris) ? uri : undefined;
}

export function requestOf(
  query: URLSearchParams,
  redirectUri: string,
  resource: string,
): AuthorizationRequest | Refused {
  const state = parameter(query, "state");
  const refuse = (error: Refused["error"], description: string): Refused => ({
    redirectUri,
    state,
    error,
    description,
  });
  if (new Set(query.keys()).size < query.size) return refuse("invalid_request", "A parameter is repeated.");
  if (parameter(query, "response_type") !== "code") {
    return refuse("unsupported_response_type", "The response_type must be code.");
  }
  const codeChallenge = parameter(query, "code_challenge");
  if (parameter(query, "code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge ?? "")) {
    return refuse("invalid_request", "A code_challenge with the method S256 is required.");
  }
  if (parameter(query, "resource") !== resource) {
    return refuse("invalid_target", `The resource must be ${resource}.`);
  }
  const scopes = scopesOf(parameter(query, "scope"));
  if (scopes.length === 0) return refuse("invalid_scope", "The scope must be of read, write and admin.");
  return { redirectUri, state, codeChallenge: codeChallenge as string, scopes };
}

/** Each scope includes the narrower ones. Without a scope the person chooses; unknown ones are ignored. */
function scopesOf(given: string | undefined): Scope[] {
  if (given === undefined) return keyScope.options;
  const widest = given.split(" ").reduce((found, name) => Math.max(found, keyScope.options.indexOf(name as Scope)), -1);
  return keyScope.options.slice(0, widest + 1);
}

/** The redirect address with an answer for the client. (RFC 6749, 4.1.2; RFC 9207) */
export function answerUri(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  issuer: string,
  answer: Record<string, string>,
): string {
  const given = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer });
  return new URL(`${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${given}`).href; // the client's own query stays as it is
}
