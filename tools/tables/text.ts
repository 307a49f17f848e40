/** Text of the pages. */

const keywords =
  /\b(CHECK|AND|OR|NOT|NULL|IS|DISTINCT|FROM|IN|ANY|ARRAY|CASE|WHEN|THEN|ELSE|END|UNIQUE|PRIMARY|FOREIGN|KEY|REFERENCES|WHERE|WITH|ON|DELETE|CASCADE|SET|DESC|COLLATE|SESSION_USER|COALESCE|EXISTS|SELECT|NULLS|FIRST|LAST|DEFERRABLE|INITIALLY|DEFERRED)\b/g;
const cast = /^::(?:\w+\.)?\w+(?: (?:with|without) time zone| varying| precision)?(?:\(\d+\))?(?:\[\])*/;

/** The end of a longer definition is shown at its place only. */
const maxLength = 200;

/** A definition of the catalogue as sql/ writes it: lower case, literals without casts, `in` for a list. */
export function plain(sql: string): string {
  const text = sql
    .replace(/\s+/g, " ")
    .split(/('(?:[^']|'')*')/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(cast, "").replace(keywords, (word) => word.toLowerCase())))
    .join("")
    .replace(/= any \(array\[(.*?)\]\)/g, "in ($1)")
    .replace(/references app\./, "references ");
  return text.length > maxLength ? `${text.slice(0, maxLength / 2)}…` : text;
}

/** Wraps a list item, or a paragraph without bullet. */
export function wrapped(text: string, bullet = "- "): string {
  const lines: string[] = [];
  let line = bullet;
  for (const word of text.replace(/\s+/g, " ").split(" ")) {
    if (line.length + word.length > 158 && line.trim() !== bullet.trim()) {
      lines.push(line.trimEnd());
      line = " ".repeat(bullet.length);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}
