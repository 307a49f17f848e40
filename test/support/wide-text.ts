/**
 * A text of this many code points that fits into a body of 64 KB. As many as possible have two UTF-16 units and four
 * bytes in UTF-8; the rest are letters.
 */
export function wide(length: number): string {
  const astral = Math.min(length, Math.floor((60_000 - length) / 3));
  return "𝒳".repeat(astral) + "a".repeat(length - astral);
}
