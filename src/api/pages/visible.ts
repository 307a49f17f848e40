/**
 * Makes invisible characters of untrusted text visible, because a model reads characters that a person who approves the text
 * cannot see. Characters without a glyph, and characters that change the direction of text, are shown by their code point.
 */

/** Control, format and ignorable characters, private and unassigned code points, and spaces and separators except U+0020. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/gu;

/** Replaces each invisible character with its code point, such as [U+202E]; line breaks stay. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unseen, (character) =>
      character === "\n" ? character : `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
