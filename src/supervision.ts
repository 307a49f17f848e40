/**
 * Processes beside this one: started, waited for, started again when they end, stopped with it. A child that sees its
 * channel close knows that its parent is gone, and stops as well.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environmentWith } from "./config.ts";
import type { Log } from "./log.ts";

export type Supervised = {
  /** Resolves when the child first said that it is ready. */
  ready: Promise<void>;
  stop(): Promise<void>;
};

const botstead = fileURLToPath(new URL("./botstead.js", import.meta.url));
const firstPauseMs = 200;
const longestPauseMs = 5_000;
const patienceMs = 15_000;

/** @param logTo a file descriptor that the child's log goes to */
export function supervise(command: string, logTo: number, log: Log): Supervised {
  const { promise: ready, resolve: becameReady } = Promise.withResolvers<void>();
  let child: ChildProcess | undefined;
  let stopped = false;
  let pauseMs = firstPauseMs;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    child = spawn(process.execPath, [botstead, command], {
      stdio: ["ignore", logTo, logTo, "ipc"],
      env: environmentWith({ NODE_ENV: "production", GRAPHILE_ENV: "production" }),
    });
    child.on("message", (message) => {
      if (message !== "ready") return;
      pauseMs = firstPauseMs;
      becameReady();
    });
    child.once("exit", (code, signal) => {
      if (stopped) return;
      log.warn({ command, code, signal }, "a part of the service ended; starting it again");
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    });
  }
  start();

  return {
    ready,
    async stop() {
      stopped = true;
      clearTimeout(restart);
      const running = child;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => running.once("exit", () => resolve()));
      running.kill("SIGTERM");
      const impatience = setTimeout(() => running.kill("SIGKILL"), patienceMs);
      await ended;
      clearTimeout(impatience);
    },
  };
}

/** In a child: says that it is ready. In a process without a parent that listens, nothing. */
export function sayReady(): void {
  process.send?.("ready");
}

/**
 * Resolves when this process is asked to stop: by a signal, or, in a child, because its parent is gone. The second
 * signal ends it at once.
 */
export function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(1));
      });
    }
    if (process.send) process.once("disconnect", () => resolve());
  });
}
