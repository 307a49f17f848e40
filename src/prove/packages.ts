/**
 * The solver Z3 and PostgreSQL's own parser, in packages of tools/prove. They take 50 MB, and only this command needs them, so
 * `npm ci` of the project leaves them out.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../tools/prove/", import.meta.url));
const installer = fileURLToPath(new URL("../../tools/packages.ts", import.meta.url));

/** Installs the packages in a clone of the repository. @throws Error with what to install, elsewhere */
export function requirePackages(): void {
  if (existsSync(installer)) {
    execFileSync(process.execPath, [installer, folder], { stdio: ["ignore", "ignore", "inherit"] });
  } else if (!existsSync(`${folder}node_modules/z3-solver`)) {
    throw new Error(
      `The prover needs a solver that is not part of Botstead. Install it: npm ci --ignore-scripts --prefix ${folder}`,
    );
  }
}

/** @param name of a package in tools/prove */
export const loadPackage = (name: string): unknown => createRequire(`${folder}package.json`)(name);
