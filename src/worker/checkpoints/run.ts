/**
 * One run of the checkpoint job: takes the entries that are not in the tree yet, checks them and a part of the older
 * ones, appends them and signs the new head. It signs nothing while a fault is open.
 * (docs/decisions/0055-checkpoints.md)
 */
import { formatCheckpoint, leafData } from "../../transparency/checkpoint.ts";
import { hashOfEmptyTree, leafHash, type TreeHead } from "../../transparency/merkle.ts";
import { type Signer, signNote } from "../../transparency/note.ts";
import {
  appendLeaves,
  cachedTiles,
  hashOfSpan,
  type ReadTile,
  rootOfHashes,
  tileWidth,
} from "../../transparency/tiles.ts";
import type { Latest, Leaves, Statements } from "./database.ts";
import {
  type Fault,
  faultsOfLogged,
  faultsOfUnlogged,
  leafIn,
  nilId,
  treeFault,
  type UnloggedEntry,
} from "./faults.ts";

/** Bounds of one run: new entries, older entries that are verified again, organisations whose chains are checked. */
export type Budget = { added: number; verified: number; organisations: number };

export const usualBudget: Budget = { added: 50_000, verified: 10_000, organisations: 5_000 };

export type Signed = TreeHead & { number: number; note: string; read: ReadTile };

export type Outcome = {
  /** Faults that no operator has accepted. */
  open: Fault[];
  /** The new checkpoint. */
  signed?: Signed;
  /** More entries wait than one run takes. */
  more: boolean;
};

type Run = { statements: Statements; signer: Signer; budget: Budget };

/**
 * @param known heads that the tree must extend: the last of this process
 * @param found faults from elsewhere: refusals of witnesses
 */
export async function runCheckpoint(
  { statements, signer, budget }: Run,
  latest: Latest,
  known: TreeHead | undefined,
  found: Fault[],
): Promise<Outcome> {
  const read = readerOf(statements);
  const entries = await statements.unlogged(budget.added);
  const chains = await statements.checkChains(latest.verified_organisation, budget.organisations);
  const tree = await verifyTree(statements, latest, read, budget.verified);
  const open = await statements.record([
    ...found,
    ...(await extensionFaults(latest, known, read)),
    ...chains.faults,
    ...tree.faults,
    ...faultsOfUnlogged(entries),
  ]);
  if (open.length > 0) return { open, more: false };

  const grown = await appendLeaves(latest.tree_size, entries.map(leafOf), read);
  const size = latest.tree_size + entries.length;
  const root = await rootAt(size, grown.read);
  const isNew = entries.length > 0 || latest.public_key !== signer.text;
  const note = signNote(formatCheckpoint({ origin: signer.name, size, root }), signer);
  const head = isNew ? { tree_size: size, root: root.toString("hex"), public_key: signer.text, note } : null;
  const leaves = leavesOf(entries, latest.tree_size);
  const number = await statements.append(leaves, grown.parts, head, tree.next, chains.next ?? nilId);
  return {
    open,
    more: entries.length === budget.added,
    ...(number !== undefined && { signed: { number, size, root, note, read: grown.read } }),
  };
}

export const readerOf = (statements: Statements): ReadTile =>
  cachedTiles(async (level, tile) => (await statements.tiles([{ level, tile }]))[0]?.hashes ?? Buffer.alloc(0));

const leafOf = ({ organisation_id, sequence, hash }: UnloggedEntry): Buffer =>
  leafHash(leafData(organisation_id, sequence, hash.toString("hex")));

const rootAt = async (size: number, read: ReadTile): Promise<Buffer> =>
  size === 0 ? hashOfEmptyTree : hashOfSpan({ start: 0, size }, read);

/** The stored tree has the root of its last checkpoint, and extends what this process has signed. */
async function extensionFaults({ tree_size: size, root }: Latest, known: TreeHead | undefined, read: ReadTile) {
  if (known && known.size > size) return [treeFault("rolled_back", known.size)];
  const expected = [...(root ? [{ size, root }] : []), ...(known ? [known] : [])];
  for (const head of expected) {
    const present = await rootAt(head.size, read).catch(() => undefined); // a tile is missing
    if (!present?.equals(head.root)) return [treeFault("tree", head.size)];
  }
  return [];
}

/** Verifies a part of the tree: entries with their leaves, and complete tiles with the level above. */
async function verifyTree(
  statements: Statements,
  { tree_size: size, verified_leaves: from }: Latest,
  read: ReadTile,
  max: number,
) {
  const rows = from < size ? await statements.logged(from, max) : [];
  const last = rows.at(-1);
  const end = last ? last.first_index + last.last_sequence - last.first_sequence + 1 : size;
  const first = Math.floor(from / tileWidth);
  const numbers = Array.from({ length: Math.ceil(end / tileWidth) - first }, (_, at) => first + at);
  const tiles = new Map(
    (await statements.tiles(numbers.map((tile) => ({ level: 0, tile })))).map(({ tile, hashes }) => [tile, hashes]),
  );
  const { faults, next } = faultsOfLogged(rows, from, (index) => leafIn(tiles, index));
  if (rows.length === 0 && from < size) faults.push(treeFault("tree", from));
  for (const [tile, hashes] of tiles) {
    if (!(await isInLevelAbove(0, tile, hashes, size, read))) faults.push(treeFault("tree", tile * tileWidth));
  }
  return { faults, next: next >= size || rows.length === 0 ? 0 : next };
}

/** Also compares the levels above, in which the tile lies. */
async function isInLevelAbove(
  level: number,
  tile: number,
  hashes: Buffer,
  size: number,
  read: ReadTile,
): Promise<boolean> {
  const width = tileWidth ** (level + 1);
  if ((tile + 1) * width > size) return true; // not complete: the root was compared
  const above = Math.floor(tile / tileWidth);
  const parent = await read(level + 1, above);
  const position = tile % tileWidth;
  if (
    hashes.length !== tileWidth * 32 ||
    !rootOfHashes(hashes).equals(parent.subarray(position * 32, position * 32 + 32))
  ) {
    return false;
  }
  return position < tileWidth - 1 || isInLevelAbove(level + 1, above, parent, size, read);
}

/** One row for entries that follow each other in one chain. */
function leavesOf(entries: UnloggedEntry[], size: number): Leaves[] {
  const runs: Leaves[] = [];
  for (const [at, { organisation_id, id, sequence, hash, previous_hash }] of entries.entries()) {
    const run = runs.at(-1);
    if (run && run.organisation_id === organisation_id && run.last_sequence + 1 === sequence) {
      Object.assign(run, { last_id: id, last_sequence: sequence, last_hash: hash.toString("hex") });
      continue;
    }
    runs.push({
      ...{ organisation_id, first_id: id, last_id: id, first_sequence: sequence, last_sequence: sequence },
      ...{ first_index: size + at, previous_hash: previous_hash.toString("hex"), last_hash: hash.toString("hex") },
    });
  }
  return runs;
}
