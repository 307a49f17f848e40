/**
 * An MCP client, known by its metadata document: its client_id is the https address of that document.
 * (docs/specification/oauth.md#clients)
 */
import { z } from "zod";
import { nameFault } from "../../contract/names.ts";
import type { DocumentReader } from "../../delivery/read-document.ts";
import { type AllowedTargets, isPrivateTarget, urlFault } from "../../delivery/webhook-url.ts";
import { isRedirectUri } from "./redirect-uri.ts";

export type Client = {
  id: string;
  /** The host of its document, which proves it; punycode if internationalised. */
  host: string;
  /** What it calls itself. It is not checked. */
  name: string | undefined;
  redirectUris: string[];
};

/** Why there is no client: a sentence for the person who came from it. */
export type NoClient = { problem: string };

export type FindClient = (id: string) => Promise<Client | NoClient>;

const document = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.unknown()).max(100),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  client_secret: z.never().optional(), // everybody can read the document
});

export function clientFinder(readerOf: () => Promise<DocumentReader>, allowed: AllowedTargets): FindClient {
  return async (id) => {
    const fault = clientIdFault(id, allowed);
    if (fault) return { problem: fault };
    const reader = await readerOf();
    const read = await reader.read(id);
    return "failure" in read
      ? { problem: `The document of the client could not be read (${read.failure}).` }
      : clientOf(id, read.text);
  };
}

/** The address must be written as URLs are compared: it is the identity of the client. */
function clientIdFault(id: string, allowed: AllowedTargets): string | undefined {
  const parsed = URL.parse(id);
  if (id.length > 2048 || urlFault(id) || !parsed || parsed.href !== id || parsed.pathname === "/") {
    return "The client_id is no https address of a document.";
  }
  return isPrivateTarget(id, allowed) ? "The client_id is an address of a private network." : undefined;
}

function clientOf(id: string, text: string): Client | NoClient {
  const parsed = document.safeParse(parseJson(text));
  if (!parsed.success) return { problem: "The document of the client is not valid." };
  const { client_id, client_name: name, redirect_uris, grant_types, response_types } = parsed.data;
  if (client_id !== id) return { problem: "The document of the client has another client_id." };
  if (grant_types?.includes("authorization_code") === false || response_types?.includes("code") === false) {
    return { problem: "The client does not use authorization codes." };
  }
  if (!isPublic(parsed.data))
    return { problem: "The client authenticates with a secret or key, which is not supported." };
  return {
    id,
    host: new URL(id).host,
    name: name?.toWellFormed().trim() || undefined,
    redirectUris: redirect_uris.filter(isRedirectUri),
  };
}

/** A client can prefer to authenticate, and offer to do without. */
function isPublic({
  token_endpoint_auth_method: preferred = "none",
  token_endpoint_auth_methods_supported: offered = [],
}: z.infer<typeof document>): boolean {
  return preferred === "none" || offered.includes("none");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In characters, of the name of a key. */
export const maxName = 60;

/** The name of the client's key: what the client calls itself, and its host. A host is no name if it looks like a link. */
export function keyNameOf({ host: whole, name = "" }: Client): string {
  const host = whole.replace(/^www\./, "");
  const room = maxName - host.length - " ()".length;
  const short = [...name].slice(0, Math.max(0, room)).join("").trim();
  const names = [short === "" ? "" : `${short} (${host})`, host];
  return names.find((each) => each !== "" && [...each].length <= maxName && !nameFault(each)) ?? "MCP client";
}
