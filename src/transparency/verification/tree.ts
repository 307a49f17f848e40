/** Verifies the stored tree: its levels, its checkpoints, and which leaf is which entry. */

import { readVerifier, type Verifier } from "../../secrets/note-key.ts";
import { type Checkpoint, isSignedBy, leafData, readCheckpoint } from "../checkpoint.ts";
import { hashLength, leafHash, openRoot } from "../merkle.ts";
import { rootOfHashes, tileWidth } from "../tiles.ts";
import type { CheckpointRow, EntryRow, LeavesRow, TileRow } from "./rows.ts";

const tileBytes = tileWidth * hashLength;

export type Tree = {
  size: number;
  leaf(index: number): Buffer | undefined;
  /** The root of the first leaves, for the requested sizes. */
  roots: Map<number, string>;
};

/** @param sizes of the checkpoints @param fault is called with a sentence for each fault */
export function readTree(tiles: TileRow[], sizes: Set<number>, fault: (sentence: string) => void): Tree {
  const stored = new Map(tiles.map(({ level, tile, hashes }) => [`${level}/${tile}`, Buffer.from(hashes, "hex")]));
  const roots = new Map<number, string>();
  const growing = openRoot();
  if (sizes.has(0)) roots.set(0, growing.root().toString("base64"));
  for (let tile = 0; stored.has(`0/${tile}`); tile += 1) {
    const hashes = stored.get(`0/${tile}`) as Buffer;
    for (let at = 0; at + hashLength <= hashes.length; at += hashLength) {
      growing.append(hashes.subarray(at, at + hashLength));
      if (sizes.has(growing.size())) roots.set(growing.size(), growing.root().toString("base64"));
    }
    if (hashes.length < tileBytes) break;
  }
  const size = growing.size();
  for (let level = 1, complete = Math.floor(size / tileWidth); complete > 0; level += 1) {
    for (let at = 0; at < complete; at += 1) {
      const below = stored.get(`${level - 1}/${at}`);
      const position = (at % tileWidth) * hashLength;
      const above = stored.get(`${level}/${Math.floor(at / tileWidth)}`)?.subarray(position, position + hashLength);
      if (below?.length !== tileBytes || !above?.equals(rootOfHashes(below)))
        fault(`tile ${level - 1}/${at} differs from level ${level}`);
    }
    complete = Math.floor(complete / tileWidth);
  }
  return {
    size,
    roots,
    leaf(index) {
      const position = (index % tileWidth) * hashLength;
      const leaf = stored.get(`0/${Math.floor(index / tileWidth)}`)?.subarray(position, position + hashLength);
      return leaf?.length === hashLength ? leaf : undefined;
    },
  };
}

/** The newest checkpoint is signed by a trusted key, an older checkpoint by the key that was published with it. */
export function verifyCheckpoints(
  rows: CheckpointRow[],
  tree: Tree,
  keys: Verifier[],
  fault: (sentence: string) => void,
): Checkpoint | undefined {
  let newest: Checkpoint | undefined;
  for (const [at, { note, publicKey }] of rows.entries()) {
    try {
      const checkpoint = readCheckpoint(note);
      const trusted = at === rows.length - 1 ? keys : [...keys, readVerifier(publicKey)];
      if (!isSignedBy(checkpoint, trusted)) fault(unsigned(checkpoint, trusted));
      if (newest && newest.size > checkpoint.size)
        fault(`the checkpoint of size ${checkpoint.size} follows a larger one`);
      compareRoot(checkpoint, tree, fault, "the checkpoint");
      newest = checkpoint;
    } catch {
      fault(`checkpoint ${at + 1} can't be read`);
    }
  }
  if ((newest?.size ?? 0) !== tree.size)
    fault(`the newest checkpoint has ${newest?.size ?? 0} leaves, the tree ${tree.size}`);
  return newest;
}

/** A log has the name that its installation had (AUDIT_ORIGIN); a command with other settings trusts the key of another log. */
export function unsigned({ size, origin }: Checkpoint, trusted: Verifier[]): string {
  const names = [...new Set(trusted.map(({ name }) => name))];
  if (names.includes(origin)) return `the checkpoint of size ${size} has no valid signature`;
  return `the checkpoint of size ${size} is of the log ${origin}, and the trusted key of ${names.join(", ")}: see AUDIT_ORIGIN`;
}

export function compareRoot(
  { size, root }: Checkpoint,
  tree: Tree,
  fault: (sentence: string) => void,
  what: string,
): void {
  if (size > tree.size) fault(`${what} of size ${size} is larger than the tree: entries were rolled back`);
  else if (tree.roots.get(size) !== root.toString("base64"))
    fault(`${what} of size ${size} has another root than the tree`);
}

/** Finds the leaf of an entry. */
export function indexLeaves(rows: LeavesRow[], size: number, fault: (sentence: string) => void) {
  const byOrganisation = Map.groupBy(rows, ({ organisationId }) => organisationId);
  let next = 0;
  for (const { firstIndex, firstSequence, lastSequence } of rows) {
    if (firstIndex !== next) fault(`leaf ${next} of the tree belongs to no entry`);
    next = firstIndex + lastSequence - firstSequence + 1;
  }
  if (next !== size) fault(`${next} leaves belong to entries, and the tree has ${size}`);
  return {
    organisations: (): Iterable<string> => byOrganisation.keys(),
    logged: (organisation: string): number => byOrganisation.get(organisation)?.at(-1)?.lastSequence ?? 0,
    find(organisation: string, sequence: number): number | undefined {
      const runs = byOrganisation.get(organisation) ?? [];
      let [low, high] = [0, runs.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((runs[middle] as LeavesRow).firstSequence <= sequence) low = middle;
        else high = middle - 1;
      }
      const run = runs[low];
      const isIn = run && sequence >= run.firstSequence && sequence <= run.lastSequence;
      return isIn ? run.firstIndex + sequence - run.firstSequence : undefined;
    },
  };
}

export function isLeafOf({ organisationId, sequence, hash }: EntryRow, leaf: Buffer | undefined): boolean {
  return leaf?.equals(leafHash(leafData(organisationId, sequence, hash))) === true;
}
