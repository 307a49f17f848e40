/**
 * Headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to its replacement.
 * (docs/versioning.md)
 */
import type { Deprecated } from "../contract/operation.ts";

export function deprecationHeaders({ since, sunset, link }: Deprecated): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset ? { sunset: new Date(sunset).toUTCString() } : {}),
    ...(link ? { link: `<${link}>; rel="deprecation"; type="text/html"` } : {}),
  };
}
