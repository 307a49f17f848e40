/** Formats the comparison of two catalogues for a terminal. */
import type { Comparison, Difference } from "./differences.ts";
import type { Place } from "./proof.ts";
import type { Layout } from "./report.ts";

/** Whether something became visible or writable, or may have. */
export const isWider = ({ differences, ways }: Comparison): boolean =>
  differences.some(({ kind }) => kind !== "less") || ways.length > 0;

const headings: Record<Difference["kind"], string> = {
  more: "Visible or writable now, and not before",
  less: "No longer visible or writable",
  unknown: "Perhaps visible or writable now",
};

export function comparisonAsText(
  { differences, ways, functions }: Comparison,
  { database, at }: Omit<Place, "catalogue">,
  { section, beside }: Layout,
): string {
  const kinds = (["more", "unknown", "less"] as const).flatMap((kind) => {
    const some = differences.filter((difference) => difference.kind === kind);
    if (some.length === 0 && kind !== "more") return [];
    return section(
      `${headings[kind]}: ${some.length || "nothing"}`,
      some.flatMap(({ role, table, command, what, example }) => [
        `${role}, ${command} on ${table}`,
        ...what.flatMap((text) => beside("    ", text)),
        ...(example ? beside("    Such as: ", listed(example)) : []),
      ]),
    );
  });
  return `${[
    `Comparison of database ${database}, ${at.toISOString()}, with the saved one`,
    ...kinds,
    ...(ways.length > 0
      ? section(
          "New ways around policies",
          ways.flatMap(({ object, role, what }) => beside("", `${object}: ${role ?? ""} ${what}`)),
        )
      : []),
    ...(functions.length > 0 ? section(`Changed functions: ${functions.length}`, functions) : []),
  ].join("\n")}\n`;
}

const listed = (example: Record<string, string>): string =>
  Object.entries(example)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
