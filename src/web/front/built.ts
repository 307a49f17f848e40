/** The folder of the built programs for browsers. Builds them in a process of its own if they are missing. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { frontFolder } from "./folder.ts";

const vite = fileURLToPath(new URL("../../../node_modules/vite", import.meta.url));
const program = fileURLToPath(new URL("build.ts", import.meta.url));

/** The programs are not built, and this process could not build them. Express answers with the status. */
class NotBuilt extends Error {
  readonly status = 503;
}

/** What to do where the programs are not built and `npm ci --omit=dev` left out what builds them. Undefined elsewhere. */
export function missingBuild(): string | undefined {
  if (existsSync(frontFolder()) || existsSync(vite)) return undefined;
  return "The pages for browsers are not built, and npm ci --omit=dev leaves out Vite, which builds them. Until then they answer 503. Run npm ci, npx botstead build, and npm prune --omit=dev --no-save";
}

/** @throws NotBuilt with the output of Vite as its cause */
export async function builtFolder(): Promise<string> {
  const folder = frontFolder();
  if (existsSync(folder)) return folder;
  const missing = missingBuild();
  if (missing) throw new NotBuilt(missing);
  await promisify(execFile)(process.execPath, [program]).catch((cause: Error) => {
    throw new NotBuilt("The pages for browsers are not built. Run: npx botstead build", { cause });
  });
  return folder;
}
