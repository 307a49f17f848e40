/** Tests whether two samples of times differ in rank (Mann-Whitney). */

/**
 * @returns the share of pairs in which the first sample's time is longer, ties counted half: 0.5 for indistinguishable
 *   samples, 0 or 1 for separate ones
 * @throws Error if a sample is empty
 */
export function shareOfLonger(first: number[], second: number[]): number {
  if (first.length === 0 || second.length === 0) throw new Error("a sample is empty");
  const all = [...first.map((value) => ({ value, mine: true })), ...second.map((value) => ({ value, mine: false }))];
  all.sort((one, another) => one.value - another.value);
  let sum = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to + 1 < all.length && all[to + 1]?.value === all[from]?.value) to += 1;
    const rank = (from + to) / 2 + 1; // equal values share the mean rank
    for (let each = from; each <= to; each += 1) if (all[each]?.mine) sum += rank;
    from = to + 1;
  }
  return (sum - (first.length * (first.length + 1)) / 2) / (first.length * second.length);
}
