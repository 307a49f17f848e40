/**
 * A text of so many code points that fits into a body of 64 KB: of as many as fit, each is two units of UTF-16 and four bytes of
 * UTF-8; the rest are letters.
 */
export function wide(length: number): string {
  const astral = Math.min(length, Math.floor((60_000 - length) / 3));
  return "𝒳".repeat(astral) + "a".repeat(length - astral);
}
