/** The first start fills Node's compile cache while it creates the database. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Resolves when the cache is filled. A process that loads its modules before would take longer and keep 25 MB more. */
export let compileCacheFilled: Promise<void> = Promise.resolve();

/** A separate process fills the cache, so that its memory is returned. */
export function fillCompileCache(folder: string): void {
  const child = spawn(process.execPath, [fileURLToPath(new URL("../compile.js", import.meta.url)), folder], {
    stdio: "ignore",
  });
  compileCacheFilled = new Promise((resolve) => {
    child.once("error", () => resolve()); // without the cache, the parts start more slowly
    child.once("exit", () => resolve());
  });
}
