/** A piece of a file that the prose check reads. */
export type Fragment = {
  /**
   * - `prose`: a comment or the text of `comment on`. Checked for terms and sentences.
   * - `title`: a test title. Checked as prose.
   * - `string`: any other string literal. Checked for terms only.
   * - `name`: an identifier. Checked for terms only.
   */
  kind: "prose" | "title" | "string" | "name";
  /** Line of the file where the fragment starts, from 1. Line breaks of `text` are line breaks of the file. */
  line: number;
  text: string;
};

/** Text of a comment without its delimiters and leading asterisks; the number of lines stays the same. */
export function stripBlockComment(comment: string): string {
  return dedent(
    comment
      .replace(/^\/\*+/, "")
      .replace(/\*+\/$/, "")
      .split("\n")
      .map((line, index) => (index === 0 ? line.trim() : line.replace(/^\s*\*(?!\*)/, ""))),
  );
}

/** Joins lines after removing the indentation that all of them share. The first line is trimmed. */
function dedent([first = "", ...rest]: string[]): string {
  const indents = rest.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents, 80);
  return [first, ...rest.map((line) => line.slice(shared).trimEnd())].join("\n");
}

/**
 * Joins line comments that continue each other: consecutive lines, same column, and no code before the later one.
 * One sentence often spans several of them.
 */
export function joinLineComments(
  comments: { line: number; column: number; text: string; alone: boolean }[],
): Fragment[] {
  const fragments: (Fragment & { column: number; last: number })[] = [];
  for (const { line, column, text, alone } of comments) {
    const previous = fragments.at(-1);
    if (previous && alone && previous.last === line - 1 && previous.column === column) {
      previous.text += `\n${text}`;
      previous.last = line;
    } else {
      fragments.push({ kind: "prose", line, text, column, last: line });
    }
  }
  return fragments.map(({ kind, line, text }) => ({ kind, line, text }));
}
