/**
 * Cursors: hex digits that mean something to the list they come from and nothing to any other. They order, and show
 * nothing: in another organisation's hands they find its own rows. (decisions: "Lists".)
 */
import { createHash } from "node:crypto";

/** Eight hex digits that tell this list from every other; its cursors begin with them. */
export function listTag(path: string): string {
  return createHash("sha256").update(path.toLowerCase()).digest("hex").slice(0, 8);
}

/** The id after which a cursor of this list goes on. */
export function readId(cursor: string, list: string): { after: string } | undefined {
  return /^[0-9a-f]{40}$/.test(cursor) && cursor.startsWith(list) ? { after: toUuid(cursor.slice(8)) } : undefined;
}

/** A place among events: the transaction that wrote one, and the id of one of those that it wrote. */
export type Place = { afterTransaction: string; afterId: string };

/** The place that a cursor of this feed holds. */
export function readPlace(cursor: string, list: string): Place | undefined {
  if (!/^[0-9a-f]{56}$/.test(cursor) || !cursor.startsWith(list)) return undefined;
  return { afterTransaction: String(BigInt(`0x${cursor.slice(8, 24)}`)), afterId: toUuid(cursor.slice(24)) };
}

/** A place in what a search found: the rank and the id it goes on after, and how many claims held each word. */
export type Rank = { after: string; rank: string; held: number[] };

/** Eight hex digits that tell the search for these words from every other list. */
export function searchTag(path: string, words: string): string {
  return listTag(`${path}?q=${words}`);
}

/** The place that a cursor of this search holds. */
export function readRank(cursor: string, list: string): Rank | undefined {
  if (!/^[0-9a-f]{40}[0-7][0-9a-f]{15}([0-9a-f]{4}){0,24}$/.test(cursor) || !cursor.startsWith(list)) return undefined;
  const held = cursor.slice(56).match(/.{4}/g) ?? [];
  return {
    after: toUuid(cursor.slice(8, 40)),
    rank: String(BigInt(`0x${cursor.slice(40, 56)}`)),
    held: held.map((claims) => Number.parseInt(claims, 16)),
  };
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
