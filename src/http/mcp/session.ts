/** What the tools of one request work with. */
import type { Operation, Scope } from "../../contract/operation.ts";
import type { OpenApi } from "../openapi/document.ts";
import type { Called } from "./results.ts";
import type { Search } from "./search.ts";
import type { Arguments, OperationTool } from "./tools.ts";

/** Made at the first request of a process. */
export type Catalogue = { document: OpenApi; tools: ReadonlyMap<string, OperationTool>; search: Search };

export type Session = Catalogue & {
  /** Whether `tools/list` has a tool for each operation instead of the four that find and call operations. */
  listsAll: boolean;
  /** The scope of the key. */
  scope: Scope;
  call: (operation: Operation, given: Arguments) => Promise<Called>;
};
