/** Finds environment variables whose names are almost those of settings. */

export type Misspelled = { name: string; suggestion: string };

/** @param names of the settings @returns unknown variables with the most similar setting */
export function misspelled(environment: NodeJS.ProcessEnv, names: readonly string[]): Misspelled[] {
  const known = new Set(names);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const [nearest] = names
      .map((suggestion) => ({ name, suggestion, distance: distance(name.toUpperCase(), suggestion) }))
      .filter((each) => each.distance <= allowed(each.suggestion))
      .sort((one, other) => one.distance - other.distance);
    return nearest ? [{ name, suggestion: nearest.suggestion }] : [];
  });
}

/** The edits by which a name may differ. Short names may only differ in case: HOME is no typing error of HOST. */
const allowed = (name: string) => Math.min(2, Math.floor(name.length / 6));

/** Levenshtein distance: insertions, deletions and substitutions. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (row[at] ?? 0) + (letter === other[at] ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
