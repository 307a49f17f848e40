/*
 * Reads a small JSON document from an address that a stranger chose, such as the metadata document of an MCP client. The
 * address is checked like the address of a delivery. A server that hangs, redirects or floods us ends as a failure within the
 * deadline. (docs/specification/oauth.md#clients)
 */
import type { AllowedRanges } from "./address.ts";
import { type ConnectionSettings, createConnections } from "./connections.ts";
import { createResolveName, type ResolveName } from "./dns.ts";
import { createResolver } from "./resolve.ts";

export type DocumentFailure = "address" | "dns" | "redirect" | "size" | "status" | "timeout" | "transport" | "type";

export type ReadDocument = { text: string } | { failure: DocumentFailure };

export type DocumentReader = {
  /** @param url a well-formed https address. Failures of its server, name or network are results. */
  read(url: string): Promise<ReadDocument>;
  close(): Promise<void>;
};

export type DocumentReaderSettings = ConnectionSettings & {
  /** Ranges that are reachable although the table of addresses refuses them. */
  allowed: AllowedRanges;
  /** Deadline for look-up, connection, TLS, headers and body together. Defaults to 3 seconds: a person waits. */
  timeoutMs?: number;
  /** Defaults to 16 KiB. The document is not decompressed. */
  maxBytes?: number;
  resolveName?: ResolveName;
};

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** Create one per process; close it in the end. */
export function createDocumentReader(settings: DocumentReaderSettings): DocumentReader {
  const { allowed, timeoutMs = 3_000, maxBytes = 16 * 1024, resolveName = createResolveName() } = settings;
  const resolver = createResolver(allowed, timeoutMs, resolveName);
  const connections = createConnections({ ...settings, resolver, timeoutMs });

  async function attempt({ hostname, origin, pathname, search }: URL, signal: AbortSignal): Promise<ReadDocument> {
    const refused = await resolver.check(hostname);
    if (refused) return { failure: refused };
    signal.throwIfAborted();
    const headers = { accept: "application/json", "user-agent": "Botstead/1" };
    const {
      statusCode,
      headers: answered,
      body,
    } = await connections.fresh.request({
      ...{ origin, path: pathname + search, method: "GET", headers, signal },
    });
    if (statusCode >= 300 && statusCode < 400) return { failure: "redirect" };
    if (statusCode !== 200) return { failure: "status" };
    if (!json.test(String(answered["content-type"] ?? ""))) return { failure: "type" };
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return { failure: "size" };
      chunks.push(chunk);
    }
    return { text: Buffer.concat(chunks).toString("utf8") };
  }

  return {
    async read(url) {
      const ended = new AbortController();
      const { promise: late, resolve } = Promise.withResolvers<ReadDocument>();
      const timer = setTimeout(resolve, timeoutMs, { failure: "timeout" });
      // A race, because a look-up or a TLS handshake cannot be aborted.
      const read = attempt(new URL(url), ended.signal).catch((): ReadDocument => ({ failure: "transport" }));
      return Promise.race([late, read]).finally(() => {
        clearTimeout(timer);
        ended.abort(); // closes the connection, which may still receive data
      });
    },
    close: () => connections.destroy(),
  };
}
