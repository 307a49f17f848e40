/** The folder of the built programs for browsers. Builds them in a process of its own if they are missing. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { frontFolder } from "./folder.ts";

const program = fileURLToPath(new URL("build.ts", import.meta.url));

/** The programs are not built, and this process could not build them. Express answers with the status. */
class NotBuilt extends Error {
  readonly status = 503;
}

/** @throws NotBuilt with the output of Vite as its cause */
export async function builtFolder(): Promise<string> {
  const folder = frontFolder();
  if (existsSync(folder)) return folder;
  await promisify(execFile)(process.execPath, [program]).catch((cause: Error) => {
    throw new NotBuilt("The pages for browsers are not built. Run: npx botstead build", { cause });
  });
  return folder;
}
