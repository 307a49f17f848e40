/** Comments, texts of `comment on`, string literals and names of an SQL file. Bodies between dollar quotes are SQL too. */
import { type Fragment, joinLineComments, stripBlockComment } from "./fragment.ts";

type Token = {
  kind: "line comment" | "block comment" | "string" | "body" | "word" | "other";
  text: string;
  start: number;
};

/** One token at a time. The order decides: comments and strings come before what they may contain. */
const token = new RegExp(
  [
    /(?<space>\s+)/,
    /(?<line>--[^\n]*)/,
    /(?<block>\/\*[\s\S]*?\*\/)/,
    /(?<escaped>[eE]'(?:[^'\\]|\\[\s\S]|'')*')/,
    /(?<string>'(?:[^']|'')*')/,
    /(?<body>(?<quote>\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\k<quote>)/,
    /"(?<quoted>[^"]+)"/,
    /(?<word>[A-Za-z_][\w$]*)/,
    /(?<other>[\s\S])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "y",
);

export function readSql(text: string, firstLine = 1): Fragment[] {
  const tokens = [...tokensOf(text)];
  const fragments: Fragment[] = [];
  const lineComments: Parameters<typeof joinLineComments>[0] = [];
  let line = firstLine;
  let at = 0;
  let statement: string[] = [];

  for (const { kind, text: source, start } of tokens) {
    line += count(text.slice(at, start));
    at = start;
    if (kind === "line comment") {
      if (source.startsWith("--!")) continue; // header lines of graphile-migrate
      const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
      const content = source.replace(/^--+ ?/, "");
      lineComments.push({ line, column: before.length, text: content, alone: before.trim() === "" });
    } else if (kind === "block comment") {
      fragments.push({ kind: "prose", line, text: stripBlockComment(source) });
    } else if (kind === "string") {
      const describes = statement[0] === "comment" && statement.at(-1) === "is";
      fragments.push({ kind: describes ? "prose" : "string", line, text: source.replace(/^[eE]?'|'$/g, "") });
    } else if (kind === "body") {
      const quote = source.slice(0, source.indexOf("$", 1) + 1);
      fragments.push(...readSql(source.slice(quote.length, -quote.length), line));
    } else if (kind === "word") {
      fragments.push({ kind: "name", line, text: source });
      statement.push(source.toLowerCase());
    } else if (source === ";") {
      statement = [];
    }
  }
  return [...fragments, ...joinLineComments(lineComments)];
}

const count = (text: string) => text.split("\n").length - 1;

function* tokensOf(text: string): Generator<Token> {
  token.lastIndex = 0;
  for (let start = 0; start < text.length; ) {
    token.lastIndex = start;
    const found = token.exec(text);
    const groups = found?.groups ?? {};
    const source = found?.[0] ?? text.charAt(start);
    if (groups.line) yield { kind: "line comment", text: source, start };
    else if (groups.block) yield { kind: "block comment", text: source, start };
    else if (groups.escaped || groups.string) yield { kind: "string", text: source, start };
    else if (groups.body) yield { kind: "body", text: source, start };
    else if (groups.quoted) yield { kind: "word", text: groups.quoted, start };
    else if (groups.word) yield { kind: "word", text: source, start };
    else if (groups.other) yield { kind: "other", text: source, start };
    start += source.length;
  }
}
