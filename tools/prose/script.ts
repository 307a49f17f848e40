/** Files whose comments start with `#`: shell, Python, YAML, GraphQL, settings of other programs. */
import { type Fragment, joinLineComments } from "./fragment.ts";

/** A `#` starts a comment at the start of a line or after a space. In strings that is rare, and harmless here. */
export function readScript(text: string): Fragment[] {
  const comments: Parameters<typeof joinLineComments>[0] = [];
  const rest: Fragment[] = [];
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    const [, code = "", comment] = /^((?:.*?\s)?)#(?!!)\s?(.*)$/.exec(content) ?? [undefined, content, undefined];
    if (code.trim() !== "") rest.push({ kind: "string", line, text: code });
    if (comment) comments.push({ line, column: code.length, text: comment, alone: code.trim() === "" });
  }
  return [...rest, ...joinLineComments(comments)];
}
