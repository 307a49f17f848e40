/** The tree of RFC 6962: known roots and proofs, and every proof of small trees, also through tiles. */
import { createRequire } from "node:module";
import {
  consistencySpans,
  hashOfEmptyTree,
  inclusionSpans,
  isConsistent,
  leafHash,
  openRoot,
  rootOfInclusion,
} from "../../src/transparency/merkle.ts";
import { appendLeaves, hashOfSpan, type ReadTile } from "../../src/transparency/tiles.ts";

/** The reference data of Certificate Transparency. */
const data = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const consistencyOf6And8 = [
  "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
  "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
];

type Tree = { leaves: Buffer[]; read: ReadTile };

/** A tree in tiles, built in pieces of these sizes. */
async function grow(pieces: number[], leaf = (index: number) => leafHash(`leaf ${index}`)): Promise<Tree> {
  const tiles = new Map<string, Buffer>();
  const read: ReadTile = async (level, tile) => tiles.get(`${level}/${tile}`) ?? Buffer.alloc(0);
  const leaves: Buffer[] = [];
  for (const piece of pieces) {
    const added = Array.from({ length: piece }, (_, at) => leaf(leaves.length + at));
    for (const { level, tile, position, hashes } of (await appendLeaves(leaves.length, added, read)).parts) {
      const before = await read(level, tile);
      expect(before).toHaveLength(position * 32);
      tiles.set(`${level}/${tile}`, Buffer.concat([before, hashes]));
    }
    leaves.push(...added);
  }
  return { leaves, read };
}

const hexOf = (hashes: Buffer[]) => hashes.map((hash) => hash.toString("hex"));
const rootAt = ({ read }: Tree, size: number) =>
  size === 0 ? Promise.resolve(hashOfEmptyTree) : hashOfSpan({ start: 0, size }, read);
const inclusion = ({ read }: Tree, index: number, size: number) =>
  Promise.all(inclusionSpans(index, { start: 0, size }).map((span) => hashOfSpan(span, read)));
const consistency = ({ read }: Tree, old: number, size: number) =>
  Promise.all(consistencySpans(old, size).map((span) => hashOfSpan(span, read)));

test("roots and proofs equal the reference data of Certificate Transparency", async () => {
  const tree = await grow([8], (index) => leafHash(Buffer.from(data[index] ?? "", "hex")));
  const growing = openRoot();
  expect(growing.root().toString("hex")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (const [at, leaf] of tree.leaves.entries()) {
    growing.append(leaf);
    expect([at, growing.root().toString("hex")]).toEqual([at, roots[at]]);
    expect((await rootAt(tree, at + 1)).toString("hex")).toBe(roots[at]);
  }
  expect(hexOf(await consistency(tree, 6, 8))).toEqual(consistencyOf6And8);
});

test("every leaf of trees up to 20 leaves has a proof, and no other leaf, index or root fits it", async () => {
  const tree = await grow([20]);
  for (let size = 1; size <= 20; size += 1) {
    const root = await rootAt(tree, size);
    for (let index = 0; index < size; index += 1) {
      const proof = await inclusion(tree, index, size);
      const leads = (leaf: number, at: number, to: Buffer[]) =>
        rootOfInclusion(tree.leaves[leaf] as Buffer, at, size, to)?.equals(root) === true;
      expect(leads(index, index, proof)).toBe(true);
      expect(leads(index, size, proof)).toBe(false);
      expect(leads(index, index, [...proof, root])).toBe(false);
      if (size === 1) continue;
      expect(leads((index + 1) % size, index, proof)).toBe(false);
      expect(leads(index, (index + 1) % size, proof)).toBe(false);
      expect(leads(index, index, proof.slice(1))).toBe(false);
    }
  }
});

test("every tree up to 20 leaves proves that it extends each smaller one, and no altered root fits", async () => {
  const tree = await grow([20]);
  for (let size = 1; size <= 20; size += 1) {
    for (let old = 0; old <= size; old += 1) {
      const [before, after] = [
        { size: old, root: await rootAt(tree, old) },
        { size, root: await rootAt(tree, size) },
      ];
      const proof = await consistency(tree, old, size);
      const other = leafHash("other");
      expect([old, size, isConsistent(before, after, proof)]).toEqual([old, size, true]);
      expect(isConsistent({ ...before, root: other }, after, proof)).toBe(false);
      if (old > 0) expect(isConsistent(before, { ...after, root: other }, proof)).toBe(false);
      expect(isConsistent(before, after, [...proof, other])).toBe(false);
      if (proof.length > 0) expect(isConsistent(before, after, proof.slice(1))).toBe(false);
      if (old < size) expect(isConsistent(after, before, proof)).toBe(false);
    }
  }
});

test("the root and the proofs of a tree do not depend on the pieces in which its tiles were built", async () => {
  const size = 256 * 256 + 700;
  const once = await grow([size]);
  const pieces = await grow([1, 254, 1, 1, 511, 65_000, size - 65_768]);
  const root = await rootAt(once, size);
  expect((await rootAt(pieces, size)).equals(root)).toBe(true);
  for (const index of [0, 255, 256, 65_535, 65_536, size - 1]) {
    const proof = await inclusion(pieces, index, size);
    expect(rootOfInclusion(once.leaves[index] as Buffer, index, size, proof)?.equals(root)).toBe(true);
  }
  for (const old of [1, 256, 65_535, 65_536, size - 1]) {
    const before = { size: old, root: await rootAt(once, old) };
    expect(isConsistent(before, { size, root }, await consistency(pieces, old, size))).toBe(true);
  }
});

test("the verifier of Sigstore accepts our inclusion proofs, and refuses an altered one", async () => {
  const require = createRequire(import.meta.url);
  const folder = require.resolve("@sigstore/verify").replace(/index\.js$/, "");
  const { verifyMerkleInclusion } = require(`${folder}tlog/merkle.js`);
  const tree = await grow([300], (index) => leafHash(`leaf ${index}`));
  const rootHash = await rootAt(tree, 300);
  for (const index of [0, 1, 127, 255, 256, 298, 299]) {
    const entry = (hashes: Buffer[]) => ({
      canonicalizedBody: Buffer.from(`leaf ${index}`),
      inclusionProof: { logIndex: String(index), treeSize: "300", rootHash, hashes },
    });
    const proof = await inclusion(tree, index, 300);
    const verify = (hashes: Buffer[]) => () =>
      verifyMerkleInclusion(entry(hashes), { logSize: 300n, logHash: rootHash });
    expect(verify(proof)).not.toThrow();
    expect(verify(proof.with(0, leafHash("other")))).toThrow();
  }
});

test.each([
  [100_000, 17],
  [10_000_000, 24],
  [2 ** 32, 32],
])("an inclusion proof in a tree of %d leaves has at most %d hashes", (size, max) => {
  const leaves = [0, 1, size / 3, size / 2, size - 2, size - 1].map(Math.floor);
  const lengths = leaves.map((leaf) => inclusionSpans(leaf, { start: 0, size }).length);
  expect(Math.max(...lengths)).toBe(max);
});
