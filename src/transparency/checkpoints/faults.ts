/** Faults of the audit log: which entries are altered, missing or too many. */
import { leafData } from "../checkpoint.ts";
import { type Fault, type FaultKind, nilId } from "../fault.ts";
import { hashLength, leafHash } from "../merkle.ts";
import { tileWidth } from "../tiles.ts";

export const treeFault = (fault: FaultKind, index = 0): Fault => ({
  ...{ organisation_id: nilId, fault, sequence: index, last_sequence: index },
});

const faultOf = (organisation_id: string, fault: FaultKind, sequence: number, last = sequence): Fault => ({
  ...{ organisation_id, fault, sequence, last_sequence: last },
});

/** One fault for faults of consecutive entries. */
export function joinedFaults(faults: Fault[]): Fault[] {
  const joined: Fault[] = [];
  const inOrder = faults.toSorted((a, b) => a.sequence - b.sequence);
  for (const group of Map.groupBy(inOrder, ({ organisation_id, fault }) => `${organisation_id} ${fault}`).values()) {
    let open: Fault | undefined;
    for (const fault of group) {
      if (open && fault.sequence <= open.last_sequence + 1) {
        open.last_sequence = Math.max(open.last_sequence, fault.last_sequence);
      } else {
        open = { ...fault };
        joined.push(open);
      }
    }
  }
  return joined;
}

/** An entry that does not follow from the previous one of its chain, or records a truncation that is not allowed. */
type FaultyEntry = { sequence: number; previous: number; follows: boolean; isAllowed: boolean };

/** Entries that follow each other in one chain and are in no tree yet. Hashes are concatenated. */
export type UnloggedRun = {
  organisation_id: string;
  first_sequence: number;
  last_sequence: number;
  first_id: string;
  last_id: string;
  previous_hash: Buffer;
  hashes: Buffer;
  faulty: FaultyEntry[] | null;
};

/** Entries that are consecutive leaves. Entries up to `begin_sequence` are past or were dropped by retention. */
export type LoggedRun = {
  first_index: number;
  organisation_id: string;
  first_sequence: number;
  last_sequence: number;
  begin_sequence: number;
  hashes: Buffer | null;
  faulty: FaultyEntry[] | null;
  /** The numbers of the hashes, if they are not all numbers after `begin_sequence` in order. */
  present: number[] | null;
};

export function faultsOfEntries(of: string, faulty: FaultyEntry[] | null): Fault[] {
  return (faulty ?? []).flatMap(({ sequence, previous, follows, isAllowed }) => {
    if (sequence <= previous) return [faultOf(of, "inserted", sequence)];
    return [
      ...(sequence > previous + 1 ? [faultOf(of, "removed", previous + 1, sequence - 1)] : []),
      ...(follows ? [] : [faultOf(of, "altered", sequence)]),
      ...(isAllowed ? [] : [faultOf(of, "truncation", sequence)]),
    ];
  });
}

/**
 * Compares entries with their leaves, from the leaf `from` on.
 *
 * @param leafAt the hash of a leaf in the tree
 * @returns the faults, and the leaf after the last compared one
 */
export function faultsOfLogged(
  runs: LoggedRun[],
  from: number,
  leafAt: (index: number) => Buffer | undefined,
): { faults: Fault[]; next: number } {
  const faults: Fault[] = [];
  let next = from;
  for (const run of runs) {
    const { first_index, organisation_id: of, first_sequence, last_sequence, begin_sequence: begin } = run;
    if (first_index !== next) faults.push(treeFault("tree", next));
    faults.push(...faultsOfEntries(of, run.faulty));
    const hashes = run.hashes?.toString("hex") ?? "";
    const entries = hashes.length / (2 * hashLength);
    let last = begin;
    for (let at = 0; at < entries; at += 1) {
      const sequence = run.present?.[at] ?? begin + 1 + at;
      if (sequence <= last) continue; // inserted
      const hash = hashes.slice(at * 2 * hashLength, (at + 1) * 2 * hashLength);
      const leaf = leafAt(first_index + sequence - first_sequence);
      if (!leaf?.equals(leafHash(leafData(of, sequence, hash)))) faults.push(faultOf(of, "altered", sequence));
      last = sequence;
    }
    if (last < last_sequence) faults.push(faultOf(of, "removed", last + 1, last_sequence));
    next = first_index + last_sequence - first_sequence + 1;
  }
  return { faults, next };
}

export const leafIn = (tiles: Map<number, Buffer>, index: number): Buffer | undefined => {
  const position = (index % tileWidth) * hashLength;
  const leaf = tiles.get(Math.floor(index / tileWidth))?.subarray(position, position + hashLength);
  return leaf?.length === hashLength ? leaf : undefined;
};
