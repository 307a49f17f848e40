/**
 * One run of the checkpoint job: checks the entries that are not in the tree yet and a part of the older ones,
 * appends the new ones and signs the new head. It signs nothing while a fault is open.
 * (docs/decisions/0033-audit-log.md)
 */

import { readVerifier, type Signer } from "../../secrets/note-key.ts";
import { formatCheckpoint, isSignedBy, leafData, readCheckpoint } from "../checkpoint.ts";
import { type Fault, nilId } from "../fault.ts";
import { hashLength, hashOfEmptyTree, leafHash, type TreeHead } from "../merkle.ts";
import { signNote } from "../note.ts";
import { appendLeaves, cachedTiles, hashOfSpan, type ReadTile, rootOfHashes, tileWidth } from "../tiles.ts";
import type { Latest, Leaves, Statements } from "./database.ts";
import { faultsOfEntries, faultsOfLogged, joinedFaults, leafIn, treeFault, type UnloggedRun } from "./faults.ts";

/**
 * Bounds of one run: new entries, older entries that are verified again, organisations whose chains are checked although they
 * have not changed. Fewer older entries are verified while entries are added, so that the cost of an entry does not grow
 * with the log. Changed entries are found by the counters of rewrites.ts, not by this.
 */
export type Budget = { added: number; verified: number; organisations: number };

export const usualBudget: Budget = { added: 50_000, verified: 2_000, organisations: 5_000 };
/** Entries that are added for each older one that is verified again. */
const addedForVerified = 4;
/** Unchanged chains that a run checks after a run of the same process has seen all changes. */
const maxUnchanged = 1_000;

export type Signed = TreeHead & { number: number; note: string; read: ReadTile };

export type Outcome = {
  /** Faults that no operator has accepted. */
  open: Fault[];
  /** The new checkpoint. */
  signed?: Signed;
  /** More entries wait than one run takes. */
  more: boolean;
  /** Whether the run came to the end of the tree with verifying older entries. */
  isPassComplete: boolean;
};

type Run = { statements: Statements; signer: Signer; budget: Budget };

/**
 * @param known heads that the tree must extend: the last of this process
 * @param found faults from elsewhere: refusals of witnesses
 * @param since the oldest transaction that the last run without faults of this process did not see
 * @param isPass whether the whole log is verified: then `budget` holds also while entries are added
 */
export async function runCheckpoint(
  { statements, signer, budget }: Run,
  latest: Latest,
  known: TreeHead | undefined,
  found: Fault[],
  since?: string,
  isPass = false,
): Promise<Outcome> {
  const read = readerOf(statements);
  const unchanged = since === undefined ? budget.organisations : Math.min(budget.organisations, maxUnchanged);
  const chains = await statements.chainsToCheck(since, latest.verified_organisation, unchanged);
  const added = await statements.unlogged(chains.organisations, budget.added);
  const faultyEnds = await statements.checkChains(chains.organisations);
  const entries = added.reduce((sum, { hashes }) => sum + hashes.length / hashLength, 0);
  const size = latest.tree_size + entries;
  const share = isPass || entries === 0 ? budget.verified : Math.ceil(entries / addedForVerified);
  const tree = await verifyTree(statements, latest, read, Math.min(share, budget.verified));
  const faults = [
    ...found,
    ...(isHeadSigned(latest, signer) ? [] : [treeFault("checkpoint", latest.tree_size)]),
    ...(await extensionFaults(latest, known, read)),
    ...faultyEnds,
    ...tree.faults,
    ...added.flatMap(({ organisation_id, faulty }) => faultsOfEntries(organisation_id, faulty)),
  ];
  const open = await statements.record(joinedFaults(faults));
  if (open.length > 0) {
    await statements.verifyAgain(latest.verified_leaves);
    return { open, more: false, isPassComplete: false };
  }

  const grown = await appendLeaves(latest.tree_size, added.flatMap(leavesIn), read);
  const root = await rootAt(size, grown.read);
  const isNew = added.length > 0 || latest.public_key !== signer.text;
  const note = signNote(formatCheckpoint({ origin: signer.name, size, root }), signer);
  const head = isNew ? { tree_size: size, root: root.toString("hex"), public_key: signer.text, note } : null;
  const leaves = placed(added, latest.tree_size);
  const number = await statements.append(leaves, grown.parts, head, tree.next, chains.next ?? nilId);
  return {
    open,
    more: size === latest.tree_size + budget.added,
    isPassComplete: tree.next === 0,
    ...(number !== undefined && { signed: { number, size, root, note, read: grown.read } }),
  };
}

export const readerOf = (statements: Statements): ReadTile =>
  cachedTiles(async (level, tile) => (await statements.tiles([{ level, tile }]))[0]?.hashes ?? Buffer.alloc(0));

function leavesIn({ organisation_id, first_sequence, hashes }: UnloggedRun): Buffer[] {
  const hex = hashes.toString("hex");
  const width = 2 * hashLength;
  return Array.from({ length: hex.length / width }, (_, at) =>
    leafHash(leafData(organisation_id, first_sequence + at, hex.slice(at * width, (at + 1) * width))),
  );
}

const rootAt = async (size: number, read: ReadTile): Promise<Buffer> =>
  size === 0 ? hashOfEmptyTree : hashOfSpan({ start: 0, size }, read);

/** A checkpoint from before a change of the master key or of the origin has another key. It is stored with it. */
function isHeadSigned({ note, tree_size: size, root, public_key: text }: Latest, signer: Signer): boolean {
  if (note === null || root === null || text === null) return true; // no checkpoint yet
  try {
    const signed = readCheckpoint(note);
    const key = text === signer.text ? signer : readVerifier(text);
    return signed.size === size && signed.root.equals(root) && isSignedBy(signed, [key]);
  } catch {
    return false;
  }
}

/** The stored tree ends at its last checkpoint, has its root, and extends what this process has signed. */
async function extensionFaults(latest: Latest, known: TreeHead | undefined, read: ReadTile): Promise<Fault[]> {
  const { tree_size: size, root } = latest;
  if (known && known.size > size) return [treeFault("rolled_back", known.size)];
  if (latest.leaves !== size || (latest.number === null && !latest.is_first)) return [treeFault("tree", size)];
  const expected = [...(root ? [{ size, root }] : []), ...(known ? [known] : [])];
  for (const [at, head] of expected.entries()) {
    if (at > 0 && head.size === size && root?.equals(head.root)) continue; // compared already
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

/** Also compares the levels above, that contain the tile. */
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

/** Each run as leaves in a row, after the present tree. */
function placed(runs: UnloggedRun[], size: number): Leaves[] {
  let first_index = size;
  return runs.map(({ hashes, faulty, previous_hash, ...run }) => {
    const leaves = {
      ...run,
      first_index,
      previous_hash: previous_hash.toString("hex"),
      last_hash: hashes.toString("hex", hashes.length - hashLength),
    };
    first_index += hashes.length / hashLength;
    return leaves;
  });
}
