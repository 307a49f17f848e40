/** What the tools of one request work with. */
import type { Operation, Scope } from "../contract/operation.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Called } from "./results.ts";
import type { Arguments } from "./tools.ts";

export type Session = Catalogue & {
  /** Whether `tools/list` has a tool for each operation instead of the four that find and call operations. */
  listsAll: boolean;
  /** The scope of the key. */
  scope: Scope;
  /** @param onDelta gets the JSON of each delta while the operation waits for a run */
  call: (operation: Operation, given: Arguments, onDelta?: (delta: string) => void) => Promise<Called>;
};
