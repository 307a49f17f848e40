/** What all sessions of a process share, made at the first request. */
import { openApiDocument } from "../api/openapi/document.ts";
import { makeResources, type Resources } from "./resources.ts";
import { makeSearch, type Search } from "./search.ts";
import { makeTools, type OperationTool } from "./tools.ts";

export type Catalogue = {
  tools: ReadonlyMap<string, OperationTool>;
  search: Search;
  /** Made at the first use, which most agents never need. */
  resources: () => Resources;
};

export function makeCatalogue(baseUrl: string): Catalogue {
  const document = openApiDocument(baseUrl);
  const tools = makeTools(document);
  let made: Resources | undefined;
  const resources = () => {
    made ??= makeResources(document, tools);
    return made;
  };
  return { tools, search: makeSearch(tools), resources };
}
