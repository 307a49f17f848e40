/** The setting of a forward proxy. Apart from what uses it: every process reads the settings, and the worker alone sends. */

/** A forward proxy. Its credentials are in `authorization` alone, ready to be sent. */
export type ForwardProxy = { url: URL; authorization: string | undefined };

/**
 * Reads `http(s)://[user:password@]host:port`.
 *
 * @throws {Error} with a sentence that does not repeat what was given, since there may be a password in it.
 */
export function parseProxy(text: string): ForwardProxy {
  const url = URL.parse(text);
  const isProxy =
    url && /^https?:$/.test(url.protocol) && url.hostname && url.pathname === "/" && !url.search && !url.hash;
  const credentials = isProxy ? credentialsOf(url) : undefined;
  if (!isProxy || credentials === undefined) {
    throw new Error("must be the address of a proxy, such as http://user:password@proxy.internal:3128.");
  }
  const authorization = credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { url: new URL(url.origin), authorization };
}

/** `user:password` with nothing encoded any more. Undefined where it can't be told what was meant. */
function credentialsOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined;
  }
}
