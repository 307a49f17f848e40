/**
 * The symbolic links between PostgreSQL's libraries. An npm package holds no links; the package of the binaries lists them in
 * pg-symlinks.json. Its install script does not run, because `npm ci` runs none.
 */
import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

type Link = { source: string; target: string };

/**
 * Creates missing links.
 *
 * @param native the folder `native` of the package
 * @throws Error if a link is missing and this user may not create it
 */
export function linkLibraries(native: string): void {
  for (const { source, target } of JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as Link[]) {
    const path = join(dirname(native), target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "EEXIST") continue; // another process was faster
      throw new Error(`PostgreSQL's libraries in ${native} are not linked: run npx botstead build as the owner.`, {
        cause,
      });
    }
  }
}
