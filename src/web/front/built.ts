/** The folder of the built programs for browsers. Builds them in a process of its own if they are missing. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { frontFolder } from "./folder.ts";

const program = fileURLToPath(new URL("build.ts", import.meta.url));

/** @throws Error with the output of Vite if the build fails */
export async function builtFolder(): Promise<string> {
  const folder = frontFolder();
  if (!existsSync(folder)) await promisify(execFile)(process.execPath, [program]);
  return folder;
}
