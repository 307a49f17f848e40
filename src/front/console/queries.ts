/** The saved queries of src/console/queries by name. */
import { listQueries } from "../../console/queries/lists.ts";

const texts = import.meta.glob<string>("../../console/queries/*.graphql", {
  query: "?raw",
  import: "default",
  eager: true,
});

export const queries: Record<string, string> = {
  ...Object.fromEntries(Object.entries(texts).map(([path, text]) => [path.replace(/^.*\/|\.graphql$/g, ""), text])),
  ...listQueries,
};
