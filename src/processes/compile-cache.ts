/** Node's compile cache: the first start fills it while it creates the database, and `botstead build` for other installations. */
import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The V8 flag of the units, the image and `npm start` on which compiled code depends. */
export const flagOfParts = "--heap-growing-percent=100";

const program = fileURLToPath(new URL("../compile.js", import.meta.url));

/**
 * Each resolves when the cache has the modules: of the API and the migration, then of all parts. A process that loads its
 * modules before would take longer and keep 25 MB more.
 */
export const compiled = { served: Promise.resolve(), all: Promise.resolve() };

/**
 * A separate process fills the cache, so that its memory is returned. It has the flags of this process and its parts, because
 * V8 uses no cache that was made with other flags.
 */
export function fillCompileCache(folder: string): void {
  const child = spawn(process.execPath, [...process.execArgv, program, folder], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  compiled.all = new Promise((resolve) => {
    child.once("error", () => resolve()); // without the cache, the parts start more slowly
    child.once("exit", () => resolve());
  });
  compiled.served = Promise.race([
    compiled.all,
    new Promise<void>((resolve) => child.once("message", () => resolve())),
  ]);
}

/** Resolves when the cache has all modules. @throws Error if it can't be made */
export async function compileWithFlagsOfParts(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [flagOfParts, program, folder]);
}
