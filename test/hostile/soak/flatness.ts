/**
 * Whether what a process uses stays what it is. Of each series the median of the first third is held against the median of the
 * last: a peak moves neither, a growth that lasts moves the second. What it may grow by is said for each kind, since memory that
 * is collected, tables that are vacuumed by the minute and connections that are opened once do not come to rest alike; less than
 * that is not found. For memory that is much, so a leak is looked for where there is no noise (held.ts).
 */
export type Room = {
  /** Of the first. */
  share: number;
  /** Beside it, in the unit of the series. */
  more: number;
};

export type Verdict = { name: string; first: number; last: number; isFlat: boolean };

/** @param values in the order of time, evenly apart @throws Error when they are too few to tell */
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
