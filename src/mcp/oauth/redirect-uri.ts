/** Addresses to which a browser takes an authorization code. (docs/specification/oauth.md#redirect-addresses) */
import { urlFault } from "../../delivery/webhook-url.ts";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether the address is one of this computer, where a native client listens. */
export const isLoopback = (uri: string): boolean => loopback.has(new URL(uri).hostname);

const nativeUri = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?][^\s\p{Cc}\\#]*)?$/u;

/**
 * https, or http to this computer; without a fragment, a login, white space or a backslash. The host has a regular name,
 * because it becomes a source in a policy of the consent page, where a semicolon or an asterisk has a meaning.
 */
export function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== "string" || uri.length > 2048) return false;
  return uri.startsWith("https://") ? urlFault(uri) === undefined : nativeUri.test(uri) && URL.canParse(uri);
}

/** Equal texts. A native client gets its port when it starts, so the port of a loopback address may differ. (RFC 8252, 7.3) */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some(
    (each) =>
      each === uri || (each.startsWith("http:") && uri.startsWith("http:") && withoutPort(each) === withoutPort(uri)),
  );
}

function withoutPort(uri: string): string {
  const parsed = new URL(uri);
  parsed.port = "";
  return parsed.href;
}
