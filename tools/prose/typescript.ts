/** Comments, test titles, string literals and identifiers of a TypeScript or JavaScript file. */
import { createScanner, SyntaxKind } from "../typescript/scanner.ts";
import { type Fragment, joinLineComments, stripBlockComment } from "./fragment.ts";

type Token = { kind: SyntaxKind; text: string; value: string; start: number };

const testFunctions = new Set(["test", "it", "describe"]);
/** Comments that are instructions to a tool. */
const directives = /^(\/\/\/ *<|\/\/ *(biome-ignore|@ts-|#region|#endregion)|\/\* *(biome-ignore|istanbul|@__PURE__))/;

const templates = new Set([
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
]);

export function readTypeScript(text: string): Fragment[] {
  const tokens = scan(text);
  const lineAt = lineFinder(text);
  const code = tokens.filter(({ kind }) => !isTrivia(kind));
  const titles = new Set(code.flatMap((_, index) => titleAt(code, index) ?? []));
  const lineComments: Parameters<typeof joinLineComments>[0] = [];
  const fragments: Fragment[] = [];

  for (const token of tokens) {
    const line = lineAt(token.start);
    if (token.kind === SyntaxKind.SingleLineCommentTrivia || token.kind === SyntaxKind.MultiLineCommentTrivia) {
      if (directives.test(token.text)) continue;
      if (token.kind === SyntaxKind.MultiLineCommentTrivia) {
        fragments.push({ kind: "prose", line, text: stripBlockComment(token.text) });
      } else {
        const lineStart = text.lastIndexOf("\n", token.start - 1) + 1;
        const before = text.slice(lineStart, token.start);
        lineComments.push({
          line,
          column: before.length,
          text: token.text.replace(/^\/\/+ ?/, ""),
          alone: before.trim() === "",
        });
      }
    } else if (titles.has(token)) {
      fragments.push({ kind: "title", line, text: token.value });
    } else if (isText(token.kind)) {
      fragments.push({ kind: "string", line, text: token.text.slice(1, -1) });
    } else if (token.kind === SyntaxKind.Identifier || token.kind === SyntaxKind.PrivateIdentifier) {
      fragments.push({ kind: "name", line, text: token.text });
    }
  }
  return [...fragments, ...joinLineComments(lineComments)];
}

const isTrivia = (kind: SyntaxKind) => kind >= SyntaxKind.FirstTriviaToken && kind <= SyntaxKind.LastTriviaToken;
const isText = (kind: SyntaxKind) =>
  kind === SyntaxKind.StringLiteral || kind === SyntaxKind.RegularExpressionLiteral || templates.has(kind);

/** All tokens. A scanner alone can't tell `}` of a template or `/` of a regular expression: the tokens before decide. */
function scan(text: string): Token[] {
  const scanner = createScanner(false, undefined, text);
  const tokens: Token[] = [];
  const braces: ("template" | "block")[] = [];
  let before: SyntaxKind = SyntaxKind.Unknown;
  for (;;) {
    let kind = scanner.scan();
    if (kind === SyntaxKind.EndOfFile) return tokens;
    if (kind === SyntaxKind.CloseBraceToken && braces.pop() === "template") {
      kind = scanner.reScanTemplateToken(false);
      if (kind === SyntaxKind.TemplateMiddle) braces.push("template");
    } else if (kind === SyntaxKind.OpenBraceToken) {
      braces.push("block");
    } else if (kind === SyntaxKind.TemplateHead) {
      braces.push("template");
    } else if ((kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) && !endsOperand(before)) {
      kind = scanner.reScanSlashToken();
    }
    tokens.push({ kind, text: scanner.getTokenText(), value: scanner.getTokenValue(), start: scanner.getTokenStart() });
    if (!isTrivia(kind)) before = kind;
  }
}

/** Whether a `/` after this token divides. After anything else it starts a regular expression. */
function endsOperand(kind: SyntaxKind): boolean {
  return (
    kind === SyntaxKind.Identifier ||
    kind === SyntaxKind.NumericLiteral ||
    kind === SyntaxKind.BigIntLiteral ||
    kind === SyntaxKind.StringLiteral ||
    kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
    kind === SyntaxKind.TemplateTail ||
    kind === SyntaxKind.CloseParenToken ||
    kind === SyntaxKind.CloseBracketToken ||
    kind === SyntaxKind.ThisKeyword ||
    kind === SyntaxKind.SuperKeyword
  );
}

/**
 * The title of the call that starts at `index`: `test("…"`, `describe.each(rows)("…"`, `test.only("…"`. A function of
 * another name has a title if its next argument is a function: `testWith("haproxy")("…", async () => {`.
 */
function titleAt(code: Token[], index: number): Token | undefined {
  const isTest = testFunctions.has(code[index]?.text ?? "");
  if (!isTest && code[index]?.kind !== SyntaxKind.Identifier) return undefined;
  if (code[index - 1]?.kind === SyntaxKind.DotToken) return undefined;
  let at = index + 1;
  while (at < code.length) {
    const token = code[at];
    if (isTest && token?.kind === SyntaxKind.DotToken) {
      at += 2;
    } else if (token?.kind === SyntaxKind.OpenParenToken) {
      const first = code[at + 1];
      const isText = first && (first.kind === SyntaxKind.StringLiteral || templates.has(first.kind));
      if (isText && (isTest || startsFunction(code, at + 3))) return first;
      at = closingParen(code, at) + 1;
    } else {
      return undefined;
    }
  }
  return undefined;
}

function startsFunction(code: Token[], at: number): boolean {
  if (code[at - 1]?.kind !== SyntaxKind.CommaToken) return false;
  if (code[at]?.kind === SyntaxKind.AsyncKeyword) return true;
  return (
    code[at]?.kind === SyntaxKind.OpenParenToken &&
    code[closingParen(code, at) + 1]?.kind === SyntaxKind.EqualsGreaterThanToken
  );
}

function closingParen(code: Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at]?.kind === SyntaxKind.OpenParenToken) depth++;
    if (code[at]?.kind === SyntaxKind.CloseParenToken && --depth === 0) return at;
  }
  return code.length;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
