/**
 * Processes beside this one: started, waited for, started again when they end, stopped with it. A child that sees its
 * channel close knows that its parent is gone, and stops as well.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environmentWith } from "./config.ts";
import { faultOf, type Log } from "./log.ts";

export type Supervised = {
  /** Resolves when the child first said that it is ready. Rejects, with its own sentence, when it ended before that. */
  ready: Promise<void>;
  stop(): Promise<void>;
};

const botstead = fileURLToPath(new URL("./botstead.js", import.meta.url));
const firstPauseMs = 200;
const longestPauseMs = 5_000;
const patienceMs = 15_000;
/** Within this time the same signal is the same wish: a terminal sends Ctrl-C to all, and npm passes it on as well. */
const echoMs = 1_000;

type Failure = { failed: string };

/**
 * @param logTo a file descriptor that the child's log goes to
 * @param told is told of each process of it
 */
export function supervise(
  command: string,
  logTo: number,
  log: Log,
  told: (child: ChildProcess) => void = () => {},
): Supervised {
  const { promise: ready, resolve: becameReady, reject: neverReady } = Promise.withResolvers<void>();
  ready.catch(() => {}); // whoever waits for it is told
  let wasReady = false;
  let child: ChildProcess | undefined;
  let stopped = false;
  let pauseMs = firstPauseMs;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    let sentence = `The ${command} ended before it was ready; the log may tell why.`;
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      if (stopped) return;
      // What can't start at all is for a person to see to; what did start once is worth another try.
      if (!wasReady) {
        neverReady(new Error(sentence));
        return;
      }
      log.warn({ command, code, signal }, "a part of the service ended; starting it again");
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    /** The system has no process or no memory left for it, which may pass: it takes nothing else down. */
    const refused = (error: Error) => {
      sentence = `The ${command} could not be started: ${error.message}.`;
      log.error({ command, error: faultOf(error) }, "a part of the service could not be started");
      ended(null, null);
    };

    child = undefined;
    let started: ChildProcess;
    try {
      started = spawn(process.execPath, [...process.execArgv, botstead, command], {
        stdio: ["ignore", logTo, logTo, "ipc"],
        // Its metrics are told here.
        env: environmentWith({ NODE_ENV: "production", GRAPHILE_ENV: "production", METRICS_PORT: "" }),
      });
    } catch (error) {
      refused(error as Error); // some refusals are thrown, others told
      return;
    }
    started.on("error", (error) => {
      if (started.pid === undefined) refused(error); // else a message or a signal did not reach it
    });
    if (started.pid === undefined) return;
    told(started);
    started.on("message", (message: "ready" | Failure | { metrics: string }) => {
      if (message !== "ready") {
        if ("failed" in message) sentence = message.failed;
        return;
      }
      pauseMs = firstPauseMs;
      wasReady = true;
      becameReady();
    });
    // Its last words may still be on their way when it has ended.
    started.once("exit", (code, signal) => {
      if (started.connected) started.once("disconnect", () => ended(code, signal));
      else ended(code, signal);
    });
    child = started;
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

/** In a child: says in a sentence why it ends. In a process without a parent that listens, nothing. */
export function sayFailed(sentence: string): void {
  if (process.connected) process.send?.({ failed: sentence } satisfies Failure);
}

/**
 * Resolves when this process is asked to stop: by a signal, or, in a child, because its parent is gone. The same signal
 * once more, a second or more later, ends it at once.
 */
export function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      let first: number | undefined;
      process.on(signal, () => {
        const now = performance.now();
        first ??= now;
        resolve();
        if (now - first > echoMs) process.exit(1);
      });
    }
    if (process.send) process.once("disconnect", () => resolve());
  });
}
