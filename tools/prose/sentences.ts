/**
 * Runs textlint over Markdown text: length of sentences, and as warnings passive voice and weak wording. Comments and
 * titles of a file are handed to it as one Markdown document, a paragraph each.
 */
import { TextlintKernel, type TextlintKernelOptions } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import type { TextlintRuleModule } from "@textlint/types";
import { SentenceSplitterSyntax, splitAST, type TxtSentenceNode } from "sentence-splitter";
import writeGood from "textlint-rule-write-good";
import { StringSource } from "textlint-util-to-string";
import type { Finding } from "./finding.ts";
import type { Fragment } from "./fragment.ts";
import { limits } from "./rules.ts";

type Paragraph = Parameters<typeof splitAST>[0];

const kernel = new TextlintKernel();
const plugins = [{ pluginId: "markdown", plugin: markdown.default }] as NonNullable<TextlintKernelOptions["plugins"]>;

/** The text of a sentence, in which inline code is one letter. */
const textOf = (sentence: TxtSentenceNode): string =>
  new StringSource(sentence as ConstructorParameters<typeof StringSource>[0], {
    replacer: ({ node, maskValue }) => (node.type === "Code" ? maskValue("x") : undefined),
  }).toString();

/** Words of a sentence. A dash alone counts as none. */
const countWords = (sentence: TxtSentenceNode): number =>
  textOf(sentence)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The line of date, machine and versions above a table of measurements. */
const caption = /^\d{4}-\d\d-\d\d;/;

/** Semicolons of a sentence, except in parentheses: these hold lists. */
function countSemicolons(sentence: TxtSentenceNode): number {
  const text = textOf(sentence).replaceAll(/\([^()]*\)/g, "");
  return caption.test(text) ? 0 : text.split(/;(?=\s)/).length - 1;
}

/** Whether a paragraph can have a fault. Splitting takes far longer than this. */
const mayBeTooLong = (source: string) =>
  source.split(/\s+/).length > limits.wordsPerSentence || source.split(";").length > limits.semicolonsPerSentence + 1;

/**
 * The sentences, in positions from the start of the paragraph: the splitter copies all text before a node, which takes
 * long at the end of a long page.
 */
const sentencesOf = (paragraph: Paragraph) =>
  splitAST(moved(paragraph, paragraph.range[0], paragraph.loc.start.line - 1)).children.filter(
    (node): node is TxtSentenceNode => node.type === SentenceSplitterSyntax.Sentence,
  );

type Placed = { range: readonly [number, number]; loc: Paragraph["loc"]; children?: unknown[] };

function moved<Node extends Placed>(node: Node, offset: number, lines: number): Node {
  const { range, loc, children } = node;
  const at = ({ line, column }: { line: number; column: number }) => ({ line: line - lines, column });
  return {
    ...node,
    range: [range[0] - offset, range[1] - offset],
    loc: { start: at(loc.start), end: at(loc.end) },
    ...(children && { children: (children as Placed[]).map((child) => moved(child, offset, lines)) }),
  };
}

const sentenceLength: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => {
  const check = (node: Parameters<typeof report>[0]) => {
    if (!mayBeTooLong(getSource(node))) return;
    for (const sentence of sentencesOf(node as Paragraph)) {
      const words = countWords(sentence);
      const semicolons = countSemicolons(sentence);
      const faults = [
        words > limits.wordsPerSentence && `sentence of ${words} words, at most ${limits.wordsPerSentence} are allowed`,
        semicolons > limits.semicolonsPerSentence &&
          `sentence with ${semicolons} semicolons: write sentences or a list`,
      ];
      for (const fault of faults)
        if (fault) report(node, new RuleError(fault, { padding: locator.at(sentence.range[0]) }));
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
};

/** The average over a page counts paragraphs and list items. Headings and tables are left out: they hold no sentences. */
const averageLength: TextlintRuleModule = ({ Syntax, RuleError, report }) => {
  const counts: number[] = [];
  return {
    [Syntax.Paragraph](node) {
      counts.push(...sentencesOf(node as unknown as Paragraph).map(countWords));
    },
    [Syntax.DocumentExit](node) {
      const words = counts.reduce((sum, count) => sum + count, 0);
      const average = words / counts.length;
      if (counts.length === 0 || average <= limits.averageWordsPerSentence) return;
      const message = `average sentence of ${average.toFixed(1)} words, at most ${limits.averageWordsPerSentence} are allowed`;
      report(node, new RuleError(message, { index: 0 }));
    },
  };
};

/** @param page whether the text is a Markdown page of its own, for which the average counts */
export async function checkSentences(
  text: string,
  options: { page: boolean; warnings: boolean },
): Promise<Omit<Finding, "file">[]> {
  const rules: NonNullable<TextlintKernelOptions["rules"]> = [{ ruleId: "sentence-length", rule: sentenceLength }];
  if (options.page) rules.push({ ruleId: "average-length", rule: averageLength });
  if (options.warnings) {
    rules.push({ ruleId: "write-good", rule: writeGood.default, options: { severity: "warning", eprime: false } });
  }
  const { messages } = await kernel.lintText(text, { ext: ".md", plugins, rules });
  return messages.map(({ line, message, ruleId }) => ({
    line,
    message,
    level: ruleId === "write-good" ? "warning" : "error",
  }));
}

/** One Markdown document with a paragraph per fragment, and the file's line for each line of it. */
export function asMarkdown(fragments: Fragment[]): { text: string; lines: number[] } {
  const text: string[] = [];
  const lines: number[] = [];
  for (const fragment of fragments) {
    for (const [index, content] of fragment.text.split("\n").entries()) {
      if (/^\s*@\w+/.test(content)) {
        text.push("");
        lines.push(fragment.line + index);
      }
      text.push(plain(content));
      lines.push(fragment.line + index);
    }
    text.push("");
    lines.push(fragment.line);
  }
  return { text: text.join("\n"), lines };
}

/** A line of a comment without what Markdown would misread: ruled lines, JSDoc tags, indented code. */
function plain(line: string): string {
  if (/^[\s\-=*_#/]*$/.test(line)) return "";
  return line
    .replace(/^\s*@\w+(\s+\{[^}]*\})?\s*/, "")
    .replace(/^ {4,}(?=\S)/, "   ")
    .replace(/^(#+)(?=\s)/, "\\$1");
}
