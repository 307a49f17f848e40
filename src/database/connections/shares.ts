/** Divides the connections of a process among its cells, and the connections of a cell among its pools. (docs/directory.md) */

/** Five pools, a replica and the connection that listens have one each. */
export const minConnectionsOfCell = 7;

/** The connections of each cell. Together the cells stay within the total. */
export const shareOfCell = (total: number, cells: number): number =>
  Math.max(minConnectionsOfCell, Math.floor(total / cells));

/**
 * At least one each, then in proportion to the full sizes, and never more than those.
 *
 * @param full sizes of the pools
 */
export function divide(full: number[], total: number): number[] {
  const sizes = full.map(() => 1);
  const used = (place: number) => (sizes[place] ?? 0) / (full[place] ?? 1);
  for (let left = total - sizes.length; left > 0; left -= 1) {
    const next = [...full.keys()].reduce((least, place) => (used(place) < used(least) ? place : least));
    if (used(next) >= 1) break;
    sizes[next] = (sizes[next] ?? 0) + 1;
  }
  return sizes;
}
