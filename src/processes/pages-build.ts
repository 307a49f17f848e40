/** Unless the pages for browsers are built, a process builds them when it starts: the first request would wait for them. */
import { faultOf, type Log } from "../log.ts";
import { builtFolder, missingBuild } from "../web/front/built.ts";

/** @param say prints a sentence for the person who started the process */
export function buildPagesInBackground(log: Log, say?: (sentence: string) => void): void {
  const missing = missingBuild();
  if (missing) {
    log.error(missing);
    say?.(missing);
    return;
  }
  builtFolder().catch((error) =>
    log.error(
      { error: faultOf(error) },
      "building the pages for browsers failed, they answer 503 until `botstead build` ran as a user who may write to node_modules",
    ),
  );
}
