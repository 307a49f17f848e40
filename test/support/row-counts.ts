/** Statements in functions that change rows and ignore how many they changed. */

export type FunctionSource = {
  name: string;
  /** Whether it can run as a role that is subject to row-level security. */
  underPolicies: boolean;
  source: string;
};

/** By table: the columns of its primary key, without organisation_id. */
export type Keys = Record<string, string[]>;

/** Functions that return a locked row, and the table of the row. */
export type Lockers = Record<string, string>;

/** Parts between semicolons, each in one line, without comments and texts. */
const statements = (source: string): string[] =>
  source
    .replace(/--.*$/gm, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, " ")
    .split(";");

/** Whether a later part of the statement reads the common table expression that holds this place. */
function isReadLater(part: string, place: number): boolean | undefined {
  const name = /(\w+) as (?:not materialized |materialized )?\(\s*$/.exec(part.slice(0, place))?.[1];
  if (!name) return undefined;
  let end = place;
  for (let depth = 1; depth > 0 && end < part.length; end += 1)
    depth += part[end] === "(" ? 1 : part[end] === ")" ? -1 : 0;
  return new RegExp(`\\b${name}\\b`).test(part.slice(end));
}

/** Whether the condition names a row by its whole key. A join with other rows names a set, which may be empty. */
function namesOneRow(statement: string, key: string[]): boolean {
  const [changed = "", condition = ""] = statement.replace(/^delete from /, "").split(/ where (.*)/);
  return (
    !/ (?:from|using) /.test(changed) && key.every((column) => new RegExp(`\\b${column} = (?!any\\b)`).test(condition))
  );
}

/** Whether the count of this statement is asked for: by a result that is read, or directly after it. */
function isCounted(parts: string[], index: number, place: number): boolean {
  const part = parts[index] ?? "";
  const statement = part.slice(place);
  const returns = / returning /.test(statement);
  const rest = parts.slice(index + 1);
  const variable = / returning .* into (?:strict )?(\w+)/.exec(statement)?.[1];
  if (variable) return new RegExp(`\\b${variable}\\b`).test(rest.join());
  return (
    isReadLater(part, place) ??
    ((returns && (/\b(?:in|query) $/.test(part.slice(0, place)) || rest.join().trim() === "")) ||
      /\bfound\b|^ get diagnostics \w+ = row_count/.test(rest.find((next) => next !== " end if") ?? ""))
  );
}

/**
 * `<function>: <verb> <table>` of each statement that ignores its count. Where policies apply, every statement has to ask.
 * Elsewhere only one that names a single row, unless the function has locked the row before.
 */
export function ignoredCounts(functions: FunctionSource[], keys: Keys, lockers: Lockers): string[] {
  return functions.flatMap(({ name, underPolicies, source }) => {
    const parts = statements(source);
    const isLocked = (table: string, before: string[]) =>
      before.some((part) => part.includes(` from ${table} `) && / for (?:no key )?update/.test(part)) ||
      Object.entries(lockers).some(([locker, of]) => of === table && before.join().includes(`${locker}(`));
    return parts.flatMap((part, index) =>
      [...part.matchAll(/\b(?:update|delete from) (\w+\.\w+)/g)]
        .filter(({ index: place, 1: table = "" }) => {
          if (isCounted(parts, index, place) || isLocked(table, parts.slice(0, index))) return false;
          return underPolicies || namesOneRow(part.slice(place), keys[table] ?? []);
        })
        .map(([statement]) => `${name}: ${statement}`),
    );
  });
}
