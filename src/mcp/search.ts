/** Finds operations by what a person or an agent wants to do. (docs/mcp.md) */
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import { searchTermsOf } from "../contract/search-terms.ts";
import type { OperationTool } from "./tools.ts";

/** Returns tools, best first. */
export type Search = (query: string) => OperationTool[];

const boost = { words: 3, area: 1, description: 1, inputs: 1 };

/** In characters. Each word is compared with all words of the index. */
const maxQuery = 400;

/** Words of questions that say nothing about the operation. */
const stopWords = new Set(
  (
    "a about an and any anything are as at be been by can could did do does for from get give had has have how i if in is it its " +
    "let make may me my need of on one or our out please should show so some someone something still tell that the their them " +
    "then there they this to up us use want was we were what when where which who whom why will with would you your"
  ).split(" "),
);

export function makeSearch(tools: ReadonlyMap<string, OperationTool>): Search {
  const index = new MiniSearch<Record<string, string>>({
    fields: Object.keys(boost),
    idField: "name",
    tokenize: (text) => text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").match(/[\p{L}\d]+/gu) ?? [],
    processTerm: (word) => {
      const lower = word.toLowerCase();
      return stopWords.has(lower) ? null : stemmer(lower);
    },
    searchOptions: {
      boost,
      bm25: { k: 1.2, b: 0.3, d: 0.5 },
      boostDocument: (name) => priorOf(String(name)),
      prefix: (word) => word.length > 3,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(
    [...tools.values()].map(({ operation, title, area, description, inputSchema }) => ({
      ...{ name: operation.name, area, description },
      words: `${operation.name}, ${title}, ${searchTermsOf(operation)}`,
      inputs: Object.keys(inputSchema.properties).join(" "),
    })),
  );
  return (query) =>
    index
      .search(query.slice(0, maxQuery))
      .map(({ id, score, queryTerms }) => ({ id, score: score * new Set(queryTerms).size }))
      .sort((one, other) => other.score - one.score)
      .flatMap(({ id }) => tools.get(id) ?? []);
}

/** Who names a thing without a verb more often wants to see or make it than to end it. */
function priorOf(name: string): number {
  if (/^(list|create|start)_/.test(name)) return 1.2;
  return /^(delete|remove|revoke|erase)_/.test(name) ? 0.9 : 1;
}
