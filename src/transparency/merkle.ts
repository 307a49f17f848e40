/** The Merkle tree of RFC 6962 with SHA-256: hashes, and which parts of a tree a proof consists of. */
import { hash } from "node:crypto";

export const hashLength = 32;

/** Hashes to a text first. A hash as Buffer is allocated outside of Node's pool, which takes twice as long. */
const sha256 = (data: Buffer | string): Buffer => Buffer.from(hash("sha256", data, "binary"), "binary");

export const hashOfEmptyTree: Buffer = sha256("");
export const leafHash = (data: Buffer | string): Buffer =>
  sha256(typeof data === "string" ? `\0${data}` : Buffer.concat([Buffer.of(0), data]));

/** Reused: a tree has as many nodes as leaves. */
const node = Buffer.alloc(1 + 2 * hashLength, 1);

/** @throws RangeError if a hash has another length */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  if (left.length !== hashLength || right.length !== hashLength) throw new RangeError("A hash of a tree has 32 bytes.");
  node.set(left, 1);
  node.set(right, 1 + hashLength);
  return sha256(node);
}

/** A subtree: `size` leaves from leaf `start`. */
export type Span = { start: number; size: number };

/** The largest power of two that is smaller than `size`: the leaves of the left subtree. */
function split(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** The subtrees whose hashes prove that a leaf is in the tree, from the leaf to the root. */
export function inclusionSpans(index: number, tree: Span): Span[] {
  const { start, size } = tree;
  if (size === 1) return [];
  const left = { start, size: split(size) };
  const right = { start: start + left.size, size: size - left.size };
  return index < right.start ? [...inclusionSpans(index, left), right] : [...inclusionSpans(index, right), left];
}

/** The subtrees whose hashes prove that a tree of `size` leaves extends the tree of its first `old` leaves. */
export function consistencySpans(old: number, size: number): Span[] {
  if (old === 0 || old === size) return [];
  return extend(old, { start: 0, size }, true);
}

function extend(old: number, tree: Span, isWhole: boolean): Span[] {
  const { start, size } = tree;
  if (old === size) return isWhole ? [] : [tree];
  const left = { start, size: split(size) };
  const right = { start: start + left.size, size: size - left.size };
  return old <= left.size ? [...extend(old, left, isWhole), right] : [...extend(old - left.size, right, false), left];
}

/** The complete subtrees, with a power of two of leaves each, of the first `size` leaves. */
export function completeSpans({ start, size }: Span): Span[] {
  const spans: Span[] = [];
  for (let from = start, rest = size; rest > 0; ) {
    const part = rest === 1 ? 1 : split(rest + 1);
    spans.push({ start: from, size: part });
    from += part;
    rest -= part;
  }
  return spans;
}

/** The root over complete subtrees of decreasing size, in order. */
export function rootOf(hashes: Buffer[]): Buffer {
  return hashes.length === 0 ? hashOfEmptyTree : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** The root that an inclusion proof leads to; undefined if the proof has the wrong length. */
export function rootOfInclusion(leaf: Buffer, index: number, size: number, proof: Buffer[]): Buffer | undefined {
  if (index >= size) return undefined;
  const spans = inclusionSpans(index, { start: 0, size });
  if (spans.length !== proof.length) return undefined;
  return proof.reduce((root, sibling, at) => {
    const isRight = (spans[at]?.start ?? 0) > index;
    return isRight ? nodeHash(root, sibling) : nodeHash(sibling, root);
  }, leaf);
}

export type TreeHead = { size: number; root: Buffer };

/** Whether a proof shows that the new tree extends the old one. */
export function isConsistent(old: TreeHead, current: TreeHead, proof: Buffer[]): boolean {
  if (old.size > current.size) return false;
  if (old.size === 0) return proof.length === 0 && old.root.equals(hashOfEmptyTree);
  if (old.size === current.size) return proof.length === 0 && old.root.equals(current.root);
  const spans = consistencySpans(old.size, current.size);
  if (spans.length !== proof.length) return false;
  const known = spans.map((span, at) => ({ ...span, hash: proof[at] as Buffer }));
  // A complete old tree is itself the first subtree, and not part of the proof.
  if (!known.some(({ start }) => start === 0)) known.unshift({ start: 0, size: old.size, hash: old.root });
  const inOrder = known.sort((a, b) => a.start - b.start);
  const ofOld = inOrder.filter(({ start }) => start < old.size).map(({ hash: each }) => each);
  return rootOf(ofOld).equals(old.root) && joined(inOrder, { start: 0, size: current.size }).equals(current.root);
}

type Known = Span & { hash: Buffer };

/** The hash of a tree, from the known hashes of its subtrees in order. */
function joined(known: Known[], { start, size }: Span): Buffer {
  const whole = known.find((each) => each.start === start && each.size === size);
  if (whole) return whole.hash;
  const left = split(size);
  return nodeHash(joined(known, { start, size: left }), joined(known, { start: start + left, size: size - left }));
}

/** Appends leaves one after the other, and knows the root at each size. Keeps the hashes of complete subtrees only. */
export function openRoot(): { append(leaf: Buffer): void; size(): number; root(): Buffer } {
  const complete: { size: number; hash: Buffer }[] = [];
  let size = 0;
  return {
    append(leaf) {
      size += 1;
      complete.push({ size: 1, hash: leaf });
      for (;;) {
        const [left, right] = complete.slice(-2);
        if (!left || !right || left.size !== right.size) return;
        complete.splice(-2, 2, { size: left.size * 2, hash: nodeHash(left.hash, right.hash) });
      }
    },
    size: () => size,
    root: () => rootOf(complete.map(({ hash: each }) => each)),
  };
}
