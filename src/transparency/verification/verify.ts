/** Verifies a whole audit log: chains, truncations, tree, checkpoints and the file of a witness. */

import type { Verifier } from "../../secrets/note-key.ts";
import { isSignedBy, readCheckpoint } from "../checkpoint.ts";
import { chainName, sentenceOf } from "../fault.ts";
import type { Stored } from "../witness/store.ts";
import { openChains } from "./chains.ts";
import type { ChainRow, CheckpointRow, LeavesRow, LogRows, TileRow } from "./rows.ts";
import { compareRoot, indexLeaves, isLeafOf, readTree, type Tree, verifyCheckpoints } from "./tree.ts";

export type Verification = {
  entries: number;
  treeSize: number;
  checkpoints: number;
  /** Checkpoints of the witness. */
  witnessed: number;
  /** Entries that no checkpoint covers yet. */
  waiting: number;
  faults: string[];
};

/** @param keys the trusted keys of the log @param witnessed the file of a witness */
export async function verifyLog(rows: LogRows, keys: Verifier[], witnessed: Stored[]): Promise<Verification> {
  const faults: string[] = [];
  const fault = (sentence: string) => void faults.push(sentence);
  const [checkpoints, tiles, leaves, chains]: [CheckpointRow[], TileRow[], LeavesRow[], ChainRow[]] = [[], [], [], []];
  let [entries, waiting] = [0, 0];
  /** The last entry of each chain, present or truncated. */
  const seen = new Map<string, number>();
  let ready:
    | { tree: Tree; places: ReturnType<typeof indexLeaves>; verifier: ReturnType<typeof openChains> }
    | undefined;

  const prepare = () => {
    const sizes = new Set([...checkpoints, ...witnessed].map(({ note }) => sizeOf(note)));
    const tree = readTree(tiles, sizes, fault);
    verifyCheckpoints(checkpoints, tree, keys, fault);
    for (const { note } of witnessed) compareWitnessed(note, tree, keys, fault);
    const places = indexLeaves(leaves, tree.size, fault);
    const verifier = openChains(chains, (organisation_id, sequence, kind, last_sequence = sequence) =>
      fault(sentenceOf({ organisation_id, fault: kind, sequence, last_sequence })),
    );
    ready = { tree, places, verifier };
    return ready;
  };

  for await (const row of rows) {
    if (row.kind === "checkpoint") checkpoints.push(row);
    else if (row.kind === "tile") tiles.push(row);
    else if (row.kind === "leaves") leaves.push(row);
    else if (row.kind === "chain") {
      chains.push(row);
      seen.set(row.organisationId, row.truncatedSequence);
    } else {
      const { tree, places, verifier } = ready ?? prepare();
      entries += 1;
      verifier.entry(row);
      seen.set(row.organisationId, row.sequence);
      const index = places.find(row.organisationId, row.sequence);
      if (index !== undefined && !isLeafOf(row, tree.leaf(index))) {
        fault(`${chainName(row.organisationId)}: entry ${row.sequence} differs from its leaf ${index}`);
      } else if (index === undefined && row.sequence > places.logged(row.organisationId)) waiting += 1;
    }
  }
  const { tree, places, verifier } = ready ?? prepare();
  verifier.end();
  for (const organisation_id of places.organisations()) {
    const [sequence, last_sequence] = [(seen.get(organisation_id) ?? 0) + 1, places.logged(organisation_id)];
    if (sequence <= last_sequence) fault(sentenceOf({ organisation_id, fault: "removed", sequence, last_sequence }));
  }
  return {
    ...{ entries, waiting, treeSize: tree.size, checkpoints: checkpoints.length, witnessed: witnessed.length },
    faults: [...new Set(faults)],
  };
}

function sizeOf(note: string): number {
  try {
    return readCheckpoint(note).size;
  } catch {
    return -1;
  }
}

function compareWitnessed(note: string, tree: Tree, keys: Verifier[], fault: (sentence: string) => void): void {
  try {
    const checkpoint = readCheckpoint(note);
    const { size } = checkpoint;
    if (!isSignedBy(checkpoint, keys)) fault(`the witness's checkpoint of size ${size} is of another key`);
    compareRoot(checkpoint, tree, fault, "the witness's checkpoint");
  } catch {
    fault("a checkpoint of the witness can't be read");
  }
}
