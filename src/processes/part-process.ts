/**
 * The start and the end of a process. A child of `start` sends its parent a message when it is ready, or the reason for
 * its end. It stops when its channel to the parent closes. Every command loads this file, so it loads little.
 */
import { once } from "node:events";
import { completeEnvironmentWith, isEnvironmentComplete } from "../config.ts";
import { whenLauncherEnds } from "./launcher.ts";

export type Ready = { ready: true; url?: string };
export type Failure = { failed: string };

/** A repeat within this time does not force the end: terminals send Ctrl-C to all processes, npm forwards it. */
const repeatMs = 1_000;

let isReady = false;

/** In a child: ends it at once if the parent is gone before it is ready. Later it stops in order (stopRequest). */
export function endWithParent(): void {
  const end = () => {
    if (!isReady) process.exit(1);
  };
  if (process.send && !process.connected) end();
  process.once("disconnect", end);
}

/** In a child with `awaitsEnvironment`: waits for the rest of its environment. Otherwise does nothing. */
export async function completeEnvironment(): Promise<void> {
  while (!isEnvironmentComplete()) {
    const [message] = (await once(process, "message")) as [{ environment?: NodeJS.ProcessEnv }];
    if (message.environment) completeEnvironmentWith(message.environment); // else a request for metrics
  }
}

/** In a child: reports to the parent that it is ready, with its URL. Without a parent, does nothing. */
export function reportReady(url?: string): void {
  isReady = true;
  process.send?.({ ready: true, ...(url === undefined ? {} : { url }) } satisfies Ready);
}

/** In a child: reports to the parent why it ends. Without a parent, does nothing. */
export function reportFailure(sentence: string): void {
  if (process.connected) process.send?.({ failed: sentence } satisfies Failure);
}

/**
 * Resolves when this process should stop: on a signal, in a child when the parent is gone, or when its launcher was
 * killed. The same signal again, a second or more later, ends the process at once.
 */
export function stopRequest(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      let first: number | undefined;
      process.on(signal, () => {
        const now = performance.now();
        first ??= now;
        resolve();
        if (now - first > repeatMs) process.exit(1);
      });
    }
    if (process.send) {
      process.once("disconnect", () => resolve());
      if (!process.connected) resolve(); // the parent was killed before this process had a listener
    } else whenLauncherEnds(resolve);
  });
}
