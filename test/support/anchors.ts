/** Anchors of Markdown pages, and citations of them in code and documentation. */
import GithubSlugger from "github-slugger";

/** Anchors of a page: headings, slugged as on GitHub, and explicit ids. Code blocks contain neither. */
export function anchorsOf(markdown: string): Set<string> {
  const prose = markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, "");
  const slugger = new GithubSlugger(); // GitHub numbers equal headings
  const headings = [...prose.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = ""]) =>
    slugger.slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
  );
  const ids = [...prose.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...ids]);
}

/**
 * Citations such as `docs/guide.md`, with or without an anchor. A path within a longer path or a URL does not count.
 */
const citation = /(?<![\w/.-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;

/**
 * The citations of a text that lead nowhere.
 *
 * @param read returns the text of a page of the project; undefined if it does not exist
 */
export function deadCitations(text: string, read: (page: string) => string | undefined): string[] {
  return [...text.matchAll(citation)].flatMap(([cited, page = "", anchor]) => {
    const markdown = read(page);
    const resolves = markdown !== undefined && (anchor === undefined || anchorsOf(markdown).has(anchor));
    return resolves ? [] : [cited];
  });
}
