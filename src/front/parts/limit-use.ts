/** How much of a limit is used. */

/** From 0; 1 and above: the limit is reached. 0 without a limit. */
export function shareOf({ used, limit }: { used: number; limit: number | null }): number {
  if (limit === null) return 0;
  return limit > 0 ? used / limit : used > 0 ? 1 : 0;
}

/** The tone of a limit that is reached, or nearly used as the console's issues count it. */
export const toneOfShare = (share: number): "bad" | "warn" | undefined =>
  share >= 1 ? "bad" : share >= 0.8 ? "warn" : undefined;
