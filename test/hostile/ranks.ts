/** Whether two samples of times can be told apart by rank: the test of Mann and Whitney. */

/**
 * @returns how often a time of the first sample is longer than one of the second, ties counted half: 0.5 where nothing
 *   tells them apart, 0 or 1 where each one does
 * @throws Error when a sample is empty
 */
export function shareOfLonger(first: number[], second: number[]): number {
  if (first.length === 0 || second.length === 0) throw new Error("a sample is empty");
  const all = [...first.map((value) => ({ value, mine: true })), ...second.map((value) => ({ value, mine: false }))];
  all.sort((one, another) => one.value - another.value);
  let sum = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to + 1 < all.length && all[to + 1]?.value === all[from]?.value) to += 1;
    const rank = (from + to) / 2 + 1; // of what is equal, each has the middle one
    for (let each = from; each <= to; each += 1) if (all[each]?.mine) sum += rank;
    from = to + 1;
  }
  return (sum - (first.length * (first.length + 1)) / 2) / (first.length * second.length);
}
