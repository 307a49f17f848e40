/**
 * Revisions: the ETag of a resource that PATCH changes. (docs/specification/conventions.md#revisions)
 */
import { hash } from "node:crypto";

export const exampleEtag = 'W/"6f1ed002ab5595859014ebf0951522d9"';

export type Revision = {
  /** A regular expression of the fields that are no part of a revision. JavaScript and PostgreSQL read it the same way. */
  ignored: string;
  pattern: RegExp;
};

/**
 * @param fields change without a PATCH, such as the time of the last use. Their values are null, booleans, numbers, plain
 * words, or objects and lists of these. The first field of a row cannot be ignored.
 */
export function revisionIgnoring(...fields: string[]): Revision {
  const value = String.raw`(?:"[^"]*"|\{[^}]*\}|\[[^\]]*\]|[^,"{}]+)`;
  const ignored = fields.length > 0 ? `,"(?:${fields.join("|")})":${value}` : "$^"; // nothing
  return { ignored, pattern: new RegExp(ignored, "g") };
}

/** The weak entity tag of a row, from its text as PostgreSQL wrote it. (sql/api_private/revisions.sql) */
export function etagOf(row: string, { pattern }: Revision): string {
  return `W/"${hash("sha256", row.replace(pattern, ""), "hex").slice(0, 32)}"`;
}

/** Our tags, as proxies rewrite them: without quotes, or with the coding of a compressed body (Apache: `-gzip`, Jetty: `--gzip`). */
const rewritten = /(?<![^\s,])(?:W\/)?(?:"([0-9a-f]{32})(?:--?|;)(?:gzip|deflate|br|zstd)"|([0-9a-f]{32}))(?![^\s,])/g;

/**
 * Reads the header If-Match. Returns the opaque tags, "any" for `*`, or undefined if it is malformed. A tag may contain commas.
 * (RFC 9110, 13.1.1)
 */
export function readIfMatch(header: string): string[] | "any" | undefined {
  if (header.trim() === "*") return "any";
  const tags: string[] = [];
  const restored = header.replaceAll(rewritten, (_, coded = "", bare = "") => `"${coded}${bare}"`);
  const rest = restored.replaceAll(/(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g, (_, tag: string) => {
    tags.push(tag);
    return '"';
  });
  const elements = rest.split(",").map((element) => element.trim());
  const filled = elements.filter((element) => element !== "");
  const isList = filled.every((element) => element === '"') && filled.length === tags.length;
  return isList && tags.length > 0 ? tags : undefined;
}
