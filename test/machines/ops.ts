/** The files of ops/ with the addresses of a test. */
import { readOps } from "../support/ops-files.ts";

/** @throws Error unless the file contains each replaced text exactly once */
export function opsFile(name: string, replaced: Record<string, string>): string {
  return Object.entries(replaced).reduce((text, [theirs, ours]) => {
    const parts = text.split(theirs);
    if (parts.length !== 2) throw new Error(`ops/${name} has ${JSON.stringify(theirs)} ${parts.length - 1} times`);
    return parts.join(ours);
  }, readOps(name));
}
