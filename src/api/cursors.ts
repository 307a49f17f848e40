/**
 * Cursors: hex digits that hold a position in one list and are invalid in any other. A cursor grants no access: another
 * organisation that uses it sees its own rows. (docs/specification/conventions.md#lists)
 */
import { createHash } from "node:crypto";
import { uuid } from "../contract/fields.ts";
import type { Detail } from "../contract/refusals.ts";
import type { Received } from "./request.ts";

/** Eight hex digits that identify a list; its cursors begin with them. */
export function listTag(path: string): string {
  return createHash("sha256").update(path.toLowerCase()).digest("hex").slice(0, 8);
}

/** The id after which the next page of the list begins. */
function readId(cursor: string, list: string): { after: string } | undefined {
  return /^[0-9a-f]{40}$/.test(cursor) && cursor.startsWith(list) ? { after: toUuid(cursor.slice(8)) } : undefined;
}

/** JSON lines have no cursors: they continue after the id of a line. */
const readIdOfLine = (cursor: string, list: string): { after: string } | undefined =>
  uuid.safeParse(cursor).success ? { after: cursor } : readId(cursor, list);

/** A position in an event feed: the number of an event, and its id. */
export type FeedPosition = { afterPosition: string; afterId: string };

export function readFeedPosition(cursor: string, list: string): FeedPosition | undefined {
  if (!/^[0-9a-f]{56}$/.test(cursor) || !cursor.startsWith(list)) return undefined;
  return { afterPosition: String(BigInt(`0x${cursor.slice(8, 24)}`)), afterId: toUuid(cursor.slice(24)) };
}

/** A position in search results: a rank and an id, and for each lexeme the number of memories that match it. */
export type SearchPosition = { after: string; rank: string; matches: number[] };

/** Eight hex digits that identify a search by its path and query. */
function searchTag(path: string, query: string): string {
  return listTag(`${path}?q=${query}`);
}

function readSearchPosition(cursor: string, list: string): SearchPosition | undefined {
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

/** Replaces the cursors in the parameters of a list or feed with the positions that they hold. */
export function checkCursors(
  { operation, path, isLive = false, isLines = false }: Received,
  checked: Record<string, unknown>,
  details: Detail[],
): Record<string, unknown> {
  const search = operation.list && checked.q;
  if (typeof search === "string") {
    const list = searchTag(path, search); // each search has its own order
    return { ...at("cursor", readSearchPosition, list), list };
  }
  if (!operation.list && !operation.feed) return checked;
  const list = listTag(path);
  if (operation.list) return { ...at("cursor", isLines ? readIdOfLine : readId, list), list };
  const from = at("after", readFeedPosition, list);
  return { ...at("cursor", readFeedPosition, list, from), list, ...(isLive ? { live: true } : {}) };

  /** Replaces the parameter with the position that it holds. */
  function at(
    name: "cursor" | "after",
    read: (cursor: string, list: string) => object | undefined,
    list: string,
    from = checked,
  ): Record<string, unknown> {
    const { [name]: cursor, ...others } = from;
    if (cursor === undefined || (name === "cursor" && cursor === "")) return others;
    const position = read(String(cursor), list);
    const expected =
      name === "after" ? "must be a position or nextCursor of this list" : "must be a nextCursor of this list";
    if (!position) details.push({ path: `query.${name}`, message: expected });
    return { ...others, ...position };
  }
}
