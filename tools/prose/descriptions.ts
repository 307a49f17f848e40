/** Summaries and descriptions of an OpenAPI document in JSON, with one member per line. Examples are data. */
import type { Fragment } from "./fragment.ts";

export function readDescriptions(text: string): Fragment[] {
  const lines = text.split("\n").map((line) => line.trim().replace(/,$/, ""));
  return [...descriptions(JSON.parse(text))].flatMap(([name, value]) => {
    const line = lines.indexOf(`"${name}": ${JSON.stringify(value)}`) + 1;
    return paragraphs(value).map((text) => ({ kind: "prose" as const, line, text }));
  });
}

function* descriptions(node: object): Generator<[name: string, value: string]> {
  for (const [name, value] of Object.entries(node)) {
    if (/^examples?$/.test(name)) continue;
    if (/^(summary|description)$/.test(name) && typeof value === "string") yield [name, value];
    else if (typeof value === "object" && value !== null) yield* descriptions(value);
  }
}

/** Paragraphs and list items, each on one line, because the document has them on one line. */
const paragraphs = (markdown: string) =>
  markdown.split(/\n\n|\n(?=- )/).map((paragraph) => paragraph.replaceAll("\n", " "));
