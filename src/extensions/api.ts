/** The extensions of the API. Each can be left out: the operations do not need it. The console is a process of its own. */

import type { Extension } from "../api/extension.ts";
import { cells } from "../cells/cells.ts";
import { mcp } from "../mcp/mcp.ts";
import { portal } from "../portal/portal.ts";

/** The consent to a client is a page below /portal, whose other paths all show the portal's document. */
export const extensions: Extension[] = [mcp, portal, cells];
