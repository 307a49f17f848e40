/** The table of THIRD_PARTY_LICENSES. */
import { readFileSync } from "node:fs";

/** `libraries` are the names of shared libraries without version and extension. */
export type Part = { name: string; version: string; licence: string; where: string; libraries: string[] };

export const licencesFile = new URL("../../THIRD_PARTY_LICENSES", import.meta.url);

export function readParts(): Part[] {
  const rows = readFileSync(licencesFile, "utf8").match(/^\| .*\|$/gm) ?? [];
  return rows.slice(1).map((row) => {
    const [name = "", version = "", licence = "", where = "", libraries = ""] = row
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return { name, version, licence, where, libraries: libraries.split(" ").filter(Boolean) };
  });
}
