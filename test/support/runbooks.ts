/** The pages of docs/runbooks: their sections, and the queries and commands in them. */
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../docs/runbooks/", import.meta.url);

/** The text of each page. */
export const runbooks = new Map(readdirSync(folder).map((page) => [page, readFileSync(new URL(page, folder), "utf8")]));

export type Section = { page: string; heading: string; text: string };

/** The sections of all pages, except the index. */
export const sections = (): Section[] =>
  [...runbooks].flatMap(([page, text]) =>
    text
      .split(/^## /m)
      .slice(1)
      .map((section): Section => {
        const end = section.indexOf("\n");
        return { page, heading: section.slice(0, end), text: section.slice(end + 1) };
      }),
  );

/** The code blocks of a language, each without the last line break. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "gm"))].map(([, block = ""]) => block);
