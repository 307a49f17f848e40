/** TypeScript's compiler, for commands and tests that run it. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../packages.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Installs the package, unless it is there. @returns the path of the program, for Node */
export function compiler(): string {
  installPackages(folder);
  return join(folder, "node_modules/typescript/lib/tsc.js");
}
