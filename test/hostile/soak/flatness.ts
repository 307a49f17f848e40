/**
 * Decides whether resource use stays flat: compares the medians of the first and the last third of each series. A peak
 * moves neither median; lasting growth moves the second. Each kind has its own tolerance, because garbage collection,
 * vacuum and connection pools settle differently. Smaller growth goes undetected. The tolerance for memory is large, so
 * memory-use.ts looks for leaks after garbage collection, without noise.
 */
export type Room = {
  /** Tolerated growth, as a share of the first median. */
  share: number;
  /** Tolerated growth in addition, in the unit of the series. */
  more: number;
};

export type Verdict = { name: string; first: number; last: number; isFlat: boolean };

/** @param values in time order, at equal intervals @throws Error when there are too few */
export function judgeFlatness(name: string, values: number[], room: Room): Verdict {
  const third = Math.floor(values.length / 3);
  if (third < 3) throw new Error(`${values.length} samples of ${name} are too few.`);
  const first = median(values.slice(0, third));
  const last = median(values.slice(-third));
  return judgeRise(name, first, last, room);
}

export const judgeRise = (name: string, first: number, last: number, { share, more }: Room): Verdict => ({
  name,
  first,
  last,
  isFlat: last <= first * (1 + share) + more,
});

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return (below + above) / 2;
}
