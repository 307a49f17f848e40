/** Finds the terms of terms.ts, wording.ts and nouns.ts in the fragments of a file, and in its path. */
import { basename, isAbsolute } from "node:path";
import type { Finding } from "./finding.ts";
import type { Fragment } from "./fragment.ts";
import { nouns } from "./nouns.ts";
import { filesWithFormerTerms } from "./rules.ts";
import type { Term } from "./term.ts";
import { terms as formerTerms } from "./terms.ts";
import { wording } from "./wording.ts";

/** A name that matches a term, or a passage that does. */
type Match = { term: Term; text: string; offset: number };

const terms = [...nouns, ...wording, ...formerTerms];
const inProse = terms
  .filter(({ where }) => where !== "names")
  .map((term) => ({ term, pattern: pattern(term.not, "\\s+") }));
const inNames = terms
  .filter(({ where }) => where !== "prose" && where !== "comments")
  .map((term) => ({ term, pattern: pattern(term.not, " ", term.spelled ? "" : "i") }));
/** Matches wherever one of the patterns for prose does. Most fragments hold none of them. */
const anyInProse = new RegExp(inProse.map(({ pattern: { source } }) => source).join("|"), "i");

/** `but` is searched in this many characters before and after a match. */
const around = 16;

export function findTerms(file: string, fragments: Fragment[]): Omit<Finding, "file">[] {
  const found = new Map<string, Omit<Finding, "file">>();
  const add = (start: number, within: string, { term, text, offset }: Match) => {
    if (term.except?.test(file) || (term.in && !term.in.test(file))) return;
    if (filesWithFormerTerms.test(file) && !nouns.includes(term)) return;
    const line = start + lineBreaks(within, offset);
    const message = `"${text.replace(/\s+/g, " ")}": say ${term.say}`;
    const key = `${line} ${term.not}`;
    if (found.get(key)?.level === "error") return;
    found.set(key, { line, level: term.level ?? "error", message });
  };

  for (const name of pathNames(file)) for (const match of matchesOfName(name)) add(1, "", match);
  for (const { kind, line, text } of fragments) {
    const names = kind === "name" ? [asName(text)] : namesIn(text);
    for (const name of names) for (const match of matchesOfName(name)) add(line, text, match);
    for (const match of kind === "name" ? [] : matchesInProse(text))
      if (kind !== "string" || match.term.where !== "comments") add(line, text, match);
  }
  return [...found.values()];
}

function matchesInProse(text: string): Match[] {
  if (!anyInProse.test(text)) return [];
  return inProse.flatMap(({ term, pattern }) =>
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ term, text: match, offset: index })).filter(
      ({ offset }) => {
        const context = text.slice(Math.max(0, offset - around), offset + around * 2);
        return !term.but || !new RegExp(term.but, "i").test(context);
      },
    ),
  );
}

/** Most names occur many times, and each is compared once. */
const termsOfNames = new Map<string, Term[]>();

function matchesOfName({ name, shown, offset }: Name): Match[] {
  let known = termsOfNames.get(name);
  if (!known) {
    known = inNames.filter(({ pattern }) => name.search(pattern) >= 0).map(({ term }) => term);
    termsOfNames.set(name, known);
  }
  return known.map((term) => ({ term, text: shown, offset }));
}

/** Whole words only. */
function pattern(not: string, space: string, flags = "i"): RegExp {
  return new RegExp(`(?<!\\w)(?:${not})(?!\\w)`.replaceAll(" ", space), `g${flags}`);
}

type Name = { name: string; shown: string; offset: number };

/** `openApiPools` and `api_pools.sql` as words, separated by spaces. */
function asName(shown: string, offset = 0): Name {
  const name = shown
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/[_\-#$]+/g, " ")
    .trim();
  return { name, shown, offset };
}

/** Words of a text that can only be names: with an underscore, a capital inside, a dot or a slash between letters. */
function namesIn(text: string): Name[] {
  return Array.from(text.matchAll(/[A-Za-z][\w-]*(?:[./][A-Za-z][\w-]*)*/g)).flatMap(({ index, 0: word }) => {
    if (!/[_./]|[a-z][A-Z]/.test(word)) return [];
    return word.split(/[./]/).map((part) => asName(part, index));
  });
}

/** The folders of a file outside the repository are not ours to name. */
function pathNames(file: string): Name[] {
  const parts = isAbsolute(file) ? [basename(file)] : file.split("/");
  return parts.map((part) => ({ ...asName(part.replace(/(\.\w+)+$/, "")), shown: part }));
}

const lineBreaks = (text: string, end: number) => text.slice(0, end).split("\n").length - 1;
