/**
 * Cursors: hex digits that hold a position in one list and are invalid in any other. A cursor grants no access: another
 * organisation that uses it sees its own rows. (docs/specification/conventions.md#lists)
 */
import { createHash } from "node:crypto";

/** Eight hex digits that identify a list; its cursors begin with them. */
export function listTag(path: string): string {
  return createHash("sha256").update(path.toLowerCase()).digest("hex").slice(0, 8);
}

/** The id after which the next page of the list begins. */
export function readId(cursor: string, list: string): { after: string } | undefined {
  return /^[0-9a-f]{40}$/.test(cursor) && cursor.startsWith(list) ? { after: toUuid(cursor.slice(8)) } : undefined;
}

/** A position in an event feed: the number of an event, and its id. */
export type FeedPosition = { afterPosition: string; afterId: string };

export function readFeedPosition(cursor: string, list: string): FeedPosition | undefined {
  if (!/^[0-9a-f]{56}$/.test(cursor) || !cursor.startsWith(list)) return undefined;
  return { afterPosition: String(BigInt(`0x${cursor.slice(8, 24)}`)), afterId: toUuid(cursor.slice(24)) };
}

/** A position in search results: a rank and an id, and for each lexeme the number of memories that match it. */
export type SearchPosition = { after: string; rank: string; matches: number[] };

/** Eight hex digits that identify a search by its path and query. */
export function searchTag(path: string, query: string): string {
  return listTag(`${path}?q=${query}`);
}

export function readSearchPosition(cursor: string, list: string): SearchPosition | undefined {
  if (!/^[0-9a-f]{40}[0-7][0-9a-f]{15}([0-9a-f]{4}){0,24}$/.test(cursor) || !cursor.startsWith(list)) return undefined;
  const matches = cursor.slice(56).match(/.{4}/g) ?? [];
  return {
    after: toUuid(cursor.slice(8, 40)),
    rank: String(BigInt(`0x${cursor.slice(40, 56)}`)),
    matches: matches.map((hex) => Number.parseInt(hex, 16)),
  };
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
