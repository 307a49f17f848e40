/** The setting of a forward proxy. A file of its own, because every process parses settings but only the worker sends. */

/** A forward proxy. `authorization` is the header's value; `url` has no credentials. */
export type ForwardProxy = { url: URL; authorization: string | undefined };

/**
 * Parses `http(s)://[user:password@]host:port`.
 *
 * @throws {Error} that does not repeat the text, because it may contain a password
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

/** Decoded `user:password`. Undefined if the encoding is malformed. */
function credentialsOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined;
  }
}
