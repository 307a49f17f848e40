/**
 * Words of others, so that nothing of them is hidden from whoever approves them: what has no look of its own, turns the
 * direction of reading or pretends to be nothing is shown by its number. What one can't see a model reads all the same.
 */

/** Controls, format characters, ignorables as the tags U+E0000…, private and unassigned ones, other spaces and separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/gu;

/** The text with each character that can't be seen as [U+202E]; line breaks stay. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unseen, (character) =>
      character === "\n" ? character : `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
