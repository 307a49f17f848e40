/**
 * Removes a model's thoughts from the start of its text. A service without a parser for them passes their marks on. Marks
 * within the answer stay, because a person may ask about them.
 */

/** A tag as group 2, and a slash in front of it as group 1. */
const tag = /(?:<(?=\/?(?:think|thinking|thought|reasoning|seed:think)>)|\[(?=\/?think\]))(\/?)([\w:]+)[>\]]/gi;

/** Returns the text after the thoughts, empty if they do not end; the text itself if it has none. */
export function withoutThoughts(text: string): string {
  const final = finalChannel(text);
  if (final !== undefined) return final.trimStart();
  let prose = withoutCode(text);
  let at = 0;
  for (;;) {
    const [first] = tagsOf(text, at);
    if (!first) break;
    let end: RegExpExecArray | undefined = first;
    if (first[1]) {
      // The prompt template of some models contains the opening tag, so that only the closing tag is in the text.
      if (isMentioned(first, text, prose)) break;
    } else {
      if (text.slice(at, first.index).trim() !== "") break; // a tag within the answer
      end = closingOf(first, prose);
      if (!end) {
        prose = text; // The thought may have begun a block of code without an end.
        end = closingOf(first, prose);
      }
      if (!end) return "";
    }
    at = afterOf(end);
  }
  return at === 0 ? text : text.slice(at).trimStart();
}

/** Whether the whole text begins within a thought: its first tag is a closing one. */
export function beginsInThought(text: string): boolean {
  const [first] = finalChannel(text) === undefined ? tagsOf(text, 0) : [];
  return first !== undefined && first[1] !== "" && !isMentioned(first, text, withoutCode(text));
}

const isMentioned = (tag: RegExpExecArray, text: string, prose: string) =>
  prose[tag.index] === " " || /[.,;:!?)]/.test(text[afterOf(tag)] ?? "");

/** The longest mark at the start of a text, so that no part of one is shown. */
const maxMarkLength = 32;

/**
 * The part of an answer that can be shown before its end: what follows cannot make it a thought.
 * @param isWithin whether texts of the model begin within a thought
 */
export function shownSoFar(text: string, isWithin: boolean): string {
  if (text.trimStart().length < maxMarkLength) return "";
  if (unmarked.test(text) && !text.includes(unmarkedFinal)) return "";
  const shown = withoutThoughts(text);
  if (shown === text && isWithin) return "";
  // A closing tag within a block of code ends no thought, once the block has ended.
  const thought = text.slice(0, text.length - shown.length);
  if (thought.split("\n").filter((line) => fences.test(line)).length % 2 === 1) return "";
  return shown.replace(/(?:<[^<>]{0,31}|[\uD800-\uDBFF])$/, ""); // an incomplete mark, or half of a character
}

const afterOf = (found: RegExpExecArray) => found.index + found[0].length;

function* tagsOf(text: string, from: number): Generator<RegExpExecArray> {
  const pattern = new RegExp(tag);
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) yield found;
}

function closingOf(opened: RegExpExecArray, text: string): RegExpExecArray | undefined {
  for (const found of tagsOf(text, afterOf(opened))) {
    if (found[1] && found[2]?.toLowerCase() === opened[2]?.toLowerCase()) return found;
  }
  return undefined;
}

/** Code within a line, and a tag in quotation marks. */
const quoted = /(?<!`)(`+)(?!`)[^`]+\1(?!`)|["'“‘]<\/?[a-z:]+>["'”’]/gi;
const blank = (text: string) => " ".repeat(text.length);

const fences = /^ {0,3}(`{3,}|~{3,})/;

/** Blanks Markdown's code. A block without an end is no code, because a thought may break off within one. */
function withoutCode(text: string): string {
  const lines = text.split("\n");
  let block: { line: number; fence: string } | undefined;
  for (const [number, line] of lines.entries()) {
    const fence = fences.exec(line)?.[1];
    if (!block) {
      if (fence) block = { line: number, fence };
      else lines[number] = line.replace(quoted, blank);
    } else if (fence?.startsWith(block.fence) && line.trim() === fence) {
      for (let each = block.line; each <= number; each += 1) lines[each] = blank(lines[each] ?? "");
      block = undefined;
    }
  }
  return lines.join("\n");
}

const harmony = /^\s*(?:<\|start\|>assistant)?<\|channel\|>/;
const final = /<\|channel\|>final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>/;
/** The same without the marks, as services send it that leave out special tokens. */
const unmarked = /^\s*analysis(?=\p{Lu})/u;
const unmarkedFinal = "assistantfinal";

/** Returns the text of the channel `final`, empty if there is none. Undefined if the text has no channels. */
function finalChannel(text: string): string | undefined {
  if (harmony.test(text)) {
    const found = final.exec(text);
    return found ? text.slice(afterOf(found)).replace(/<\|(?:end|return)\|>\s*$/, "") : "";
  }
  const at = unmarked.test(text) ? text.indexOf(unmarkedFinal) : -1;
  return at < 0 ? undefined : text.slice(at + unmarkedFinal.length);
}
