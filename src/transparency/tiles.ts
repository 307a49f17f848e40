/**
 * The tree as tiles of 256 hashes (C2SP tlog-tiles): a hash of level 0 is a leaf, a hash of level n + 1 is the root of a
 * complete tile of level n. Tiles only grow, so a table can keep them as parts that never change.
 */
import { completeSpans, hashLength, nodeHash, rootOf, type Span } from "./merkle.ts";

export const tileWidth = 256;

/** Hashes that follow each other in one tile, from `position` on. */
export type TilePart = { level: number; tile: number; position: number; hashes: Buffer };

/** Reads the hashes of a tile, as many as there are. */
export type ReadTile = (level: number, tile: number) => Promise<Buffer>;

const hashAt = (hashes: Buffer, position: number): Buffer =>
  hashes.subarray(position * hashLength, (position + 1) * hashLength);

/** The root over 1, 2, 4, … or 256 hashes. */
export function rootOfHashes(hashes: Buffer): Buffer {
  const roots: Buffer[] = [];
  for (let at = 0; at < hashes.length / hashLength; at += 1) roots.push(hashAt(hashes, at));
  while (roots.length > 1) {
    for (let at = 0; at < roots.length / 2; at += 1) {
      roots[at] = nodeHash(roots[2 * at] as Buffer, roots[2 * at + 1] as Buffer);
    }
    roots.length /= 2;
  }
  return roots[0] as Buffer;
}

/** The hash of a subtree. @throws Error if a tile lacks hashes */
export async function hashOfSpan(span: Span, read: ReadTile): Promise<Buffer> {
  return rootOf(await Promise.all(completeSpans(span).map((part) => hashOfComplete(part, read))));
}

async function hashOfComplete({ start, size }: Span, read: ReadTile): Promise<Buffer> {
  let [level, first, count] = [0, start, size];
  while (count >= tileWidth) [level, first, count] = [level + 1, first / tileWidth, count / tileWidth];
  const tile = Math.floor(first / tileWidth);
  const position = first % tileWidth;
  const hashes = (await read(level, tile)).subarray(position * hashLength, (position + count) * hashLength);
  if (hashes.length !== count * hashLength) throw new Error(`Tile ${level}/${tile} of the tree is not complete.`);
  return rootOfHashes(hashes);
}

/** Reads each tile once. */
export function cachedTiles(read: ReadTile): ReadTile {
  const tiles = new Map<string, Promise<Buffer>>();
  return (level, tile) => {
    const name = `${level}/${tile}`;
    const known = tiles.get(name) ?? read(level, tile);
    tiles.set(name, known);
    return known;
  };
}

/** The tree after these leaves: the parts to store, and a reader that includes them. */
export async function appendLeaves(
  size: number,
  leaves: Buffer[],
  read: ReadTile,
): Promise<{ parts: TilePart[]; read: ReadTile }> {
  const parts: TilePart[] = [];
  const grown = new Map<string, Buffer>();
  for (let level = 0, first = size, added = leaves; added.length > 0; level += 1) {
    const roots: Buffer[] = [];
    for (let at = 0; at < added.length; ) {
      const tile = Math.floor((first + at) / tileWidth);
      const position = (first + at) % tileWidth;
      const hashes = Buffer.concat(added.slice(at, at + tileWidth - position));
      at += hashes.length / hashLength;
      parts.push({ level, tile, position, hashes });
      const before = position === 0 ? Buffer.alloc(0) : (await read(level, tile)).subarray(0, position * hashLength);
      const whole = Buffer.concat([before, hashes]);
      grown.set(`${level}/${tile}`, whole);
      if (whole.length === tileWidth * hashLength) roots.push(rootOfHashes(whole));
    }
    first = Math.floor(first / tileWidth);
    added = roots;
  }
  return {
    parts,
    read: async (level, tile) => grown.get(`${level}/${tile}`) ?? read(level, tile),
  };
}
