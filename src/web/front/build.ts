/** Builds the programs for browsers with Vite, unless they are built. It needs no network. A program of its own. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "vite";
import { frontFolder, frontSources } from "./folder.ts";

const folder = frontFolder();
if (!existsSync(folder)) {
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}.`);
  try {
    await build({ configFile: join(frontSources, "vite.config.ts"), build: { outDir: partial } });
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // another process has built it meanwhile
  }
}
