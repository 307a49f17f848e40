/** Comments that stand on lines of their own, where a scanner of the whole file is not needed: in JSX, and docstrings of Python. */
import { type Fragment, joinLineComments, stripBlockComment } from "./fragment.ts";

const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

/** Names and texts of JSX are left to other checks: quotation marks in its texts begin no string. */
export function readJsx(text: string): Fragment[] {
  const blocks = [...text.matchAll(/^[ \t{]*(\/\*[\s\S]*?\*\/)/gm)].map(
    ({ 0: whole, 1: comment = "", index }): Fragment => ({
      kind: "prose",
      line: lineOf(text, index + whole.length - comment.length),
      text: stripBlockComment(comment),
    }),
  );
  const lines = text.split("\n").flatMap((content, index) => {
    const [, before = "", comment] = /^(\s*)\/\/ ?(.*)$/.exec(content) ?? [];
    return comment === undefined ? [] : [{ line: index + 1, column: before.length, text: comment, alone: true }];
  });
  return [...blocks, ...joinLineComments(lines)];
}

export const readDocstrings = (text: string): Fragment[] =>
  [...text.matchAll(/^[ \t]*"""([\s\S]*?)"""/gm)].map(({ 0: whole, 1: inner = "", index }) => ({
    kind: "prose",
    line: lineOf(text, index + whole.indexOf('"""')),
    text: stripBlockComment(inner).replaceAll(/^(\s*):(\w+)/gm, "$1@$2"), // a field is a paragraph of its own, as in JSDoc
  }));
