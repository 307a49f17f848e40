/** Faults of the audit log: which entries are altered, missing or too many. */
import { leafData } from "../../transparency/checkpoint.ts";
import { hashLength, leafHash } from "../../transparency/merkle.ts";
import { tileWidth } from "../../transparency/tiles.ts";

/** The chain of the service, and faults of the tree as a whole. */
export const nilId = "00000000-0000-0000-0000-000000000000";

/**
 * - `altered`, `removed`, `inserted`, `head`, `truncation`: of a chain (audit.verify_chain).
 * - `setting`: the retention is not the recorded one.
 * - `tree`: the stored tree differs from its checkpoint.
 * - `rolled_back`: a witness or this process knows a larger tree.
 * - `witness`: a witness refuses a checkpoint.
 */
export type FaultKind =
  | "altered"
  | "removed"
  | "inserted"
  | "head"
  | "truncation"
  | "setting"
  | "tree"
  | "rolled_back"
  | "witness";

export type Fault = { organisation_id: string; fault: FaultKind; sequence: number; last_sequence: number };

export const treeFault = (fault: FaultKind, index = 0): Fault => ({
  ...{ organisation_id: nilId, fault, sequence: index, last_sequence: index },
});

const faultOf = (organisation_id: string, fault: FaultKind, sequence: number, last = sequence): Fault => ({
  ...{ organisation_id, fault, sequence, last_sequence: last },
});

export type UnloggedEntry = {
  organisation_id: string;
  sequence: number;
  id: string;
  hash: Buffer;
  previous_sequence: number;
  previous_hash: Buffer;
  follows: boolean;
  is_truncation_valid: boolean;
};

/** New entries continue their chains, and record only truncations that the retention allows. */
export function faultsOfUnlogged(entries: UnloggedEntry[]): Fault[] {
  return entries.flatMap((entry) => {
    const { organisation_id: of, sequence, previous_sequence: previous } = entry;
    if (sequence > previous + 1) return [faultOf(of, "removed", previous + 1, sequence - 1)];
    if (sequence <= previous) return [faultOf(of, "inserted", sequence)];
    if (!entry.follows) return [faultOf(of, "altered", sequence)];
    return entry.is_truncation_valid ? [] : [faultOf(of, "truncation", sequence)];
  });
}

export type LoggedEntry = {
  first_index: number;
  organisation_id: string;
  first_sequence: number;
  last_sequence: number;
  truncated_sequence: number;
  sequence: number | null;
  hash: Buffer | null;
  follows: boolean | null;
};

/**
 * Compares entries with their leaves, from the leaf `from` on.
 *
 * @param leafAt the hash of a leaf in the tree
 * @returns the faults, and the leaf after the last compared one
 */
export function faultsOfLogged(
  rows: LoggedEntry[],
  from: number,
  leafAt: (index: number) => Buffer | undefined,
): { faults: Fault[]; next: number } {
  const faults: Fault[] = [];
  let next = from;
  for (const run of Map.groupBy(rows, ({ first_index }) => first_index).values()) {
    const [{ first_index, organisation_id: of, first_sequence, last_sequence, truncated_sequence }] = run as [
      LoggedEntry,
    ];
    if (first_index !== next) faults.push(treeFault("tree", next));
    const present = new Map(run.map((row) => [row.sequence, row]));
    for (let sequence = Math.max(first_sequence, truncated_sequence + 1); sequence <= last_sequence; sequence += 1) {
      const entry = present.get(sequence);
      const leaf = leafAt(first_index + sequence - first_sequence);
      if (!entry?.hash) faults.push(faultOf(of, "removed", sequence));
      else if (!entry.follows || !leaf?.equals(leafHash(leafData(of, sequence, entry.hash.toString("hex"))))) {
        faults.push(faultOf(of, "altered", sequence));
      }
    }
    next = first_index + last_sequence - first_sequence + 1;
  }
  return { faults, next };
}

export const leafIn = (tiles: Map<number, Buffer>, index: number): Buffer | undefined => {
  const position = (index % tileWidth) * hashLength;
  const leaf = tiles.get(Math.floor(index / tileWidth))?.subarray(position, position + hashLength);
  return leaf?.length === hashLength ? leaf : undefined;
};
