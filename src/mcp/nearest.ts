/** Finds the name that a misspelled one stands for: `createBot`, `bots.create`, `stat`, `args`, `runId` for `id`. */
import leven from "leven";

export function nearest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > maxName) return undefined; // the comparison takes time in proportion to its length
  const [best] = [...names]
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ distance }) => distance < tooFar)
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`;
}

const maxName = 64;
const tooFar = 3;

/** In edits. A word that only leaves letters out, such as `args`, is near too. */
function distanceOf(given: string, name: string): number {
  const [one, other] = [wordsOf(given), wordsOf(name)];
  if (one.join("") === other.join("")) return 0;
  if (singular(one) === singular(other)) return 1;
  const edits = leven(one.join(""), other.join(""));
  if (edits < tooFar && edits <= other.join("").length / 3) return edits;
  const isPart = one.length > other.length && one.slice(-other.length).join("") === other.join("");
  return isPart || isShortened(one.join(""), other.join("")) ? 2 : tooFar;
}

const wordsOf = (name: string) =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\d]+/gu) ?? [];

const singular = (words: string[]) =>
  words
    .map((word) => word.replace(/s$/, ""))
    .toSorted()
    .join(" ");

function isShortened(short: string, long: string): boolean {
  if (short.length < 3 || short[0] !== long[0]) return false;
  let next = 0;
  for (const letter of long) if (letter === short[next]) next += 1;
  return next === short.length;
}
