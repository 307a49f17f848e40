/** Finds environment variables with names similar to a setting. */
import leven from "leven";

export type Misspelled = { name: string; suggestion: string };

/** @param names of the settings @returns unknown variables with the most similar setting */
export function misspelled(environment: NodeJS.ProcessEnv, names: readonly string[]): Misspelled[] {
  const known = new Set(names);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const [nearest] = names
      .map((suggestion) => ({ name, suggestion, distance: leven(name.toUpperCase(), suggestion) }))
      .filter((each) => each.distance <= allowed(each.suggestion))
      .sort((one, other) => one.distance - other.distance);
    return nearest ? [{ name, suggestion: nearest.suggestion }] : [];
  });
}

/** The edits by which a name may differ. Short names may only differ in case: HOME is no typing error of HOST. */
const allowed = (name: string) => Math.min(2, Math.floor(name.length / 6));
