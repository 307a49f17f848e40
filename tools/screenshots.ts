/** Where the commands `console:screenshots` and `portal:screenshots` write. Git keeps the files that a page of docs shows. */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";

const shown = ["overview-light", "endpoint-dark"];

/** Returns an empty folder, which git ignores. */
export function emptyFolder(program: "console" | "portal"): string {
  const folder = `screenshots/${program}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Replaces docs/images/<program>-<name>.png. */
export function keepShown(program: "console" | "portal"): void {
  for (const name of shown) {
    copyFileSync(`screenshots/${program}/${name}.png`, `docs/images/${program}-${name}.png`);
  }
}
