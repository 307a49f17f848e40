/** The files of ops/ as they are, with the addresses of a test in the place of theirs. */
import { readOps } from "../support/ops-files.ts";

/** @throws Error when the file does not have what is to be replaced, each of them once */
export function opsFile(name: string, replaced: Record<string, string>): string {
  return Object.entries(replaced).reduce((text, [theirs, ours]) => {
    const parts = text.split(theirs);
    if (parts.length !== 2) throw new Error(`ops/${name} has ${JSON.stringify(theirs)} ${parts.length - 1} times`);
    return parts.join(ours);
  }, readOps(name));
}
