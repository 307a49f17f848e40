/**
 * Child processes: starts them, waits until they are ready, restarts them when they end, and stops them. Their own side is
 * part-process.ts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { faultOf, type Log } from "../log.ts";
import type { Failure, Ready } from "./part-process.ts";

export type Supervised = {
  /** Resolves when the child is ready, with its URL if it listens. Rejects with its sentence if it ends first. */
  ready: Promise<string | undefined>;
  stop(): Promise<void>;
};

const botstead = fileURLToPath(new URL("../botstead.js", import.meta.url));
/** The console serves few requests. A large young generation would take memory (docs/decisions/0029-console.md). */
const nodeOptions: Record<string, string[]> = { console: ["--max-semi-space-size=1"] };
const minPauseMs = 200;
const maxPauseMs = 5_000;
const stopTimeoutMs = 15_000;

/**
 * @param environment of the child, complete
 * @param logTo file descriptor of the child's log
 * @param onSpawn called with each new process
 * @param rest of the environment, for a child whose environment has `awaitsEnvironment`: it loads its modules meanwhile
 */
export function supervise(
  command: string,
  environment: NodeJS.ProcessEnv,
  logTo: number,
  log: Log,
  onSpawn: (child: ChildProcess) => void = () => {},
  rest?: Promise<NodeJS.ProcessEnv>,
): Supervised {
  const { promise: ready, resolve: becameReady, reject: neverReady } = Promise.withResolvers<string | undefined>();
  ready.catch(() => {}); // the caller handles the rejection
  let wasReady = false;
  let child: ChildProcess | undefined;
  let stopped = false;
  let pauseMs = minPauseMs;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    let sentence = `The ${command} ended before it was ready; its log may contain the reason.`;
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      if (stopped) return;
      // A part that never became ready needs a person. A part that did is restarted.
      if (!wasReady) {
        neverReady(new Error(sentence));
        return;
      }
      log.warn({ command, code, signal }, "a part of the service ended, restarting it");
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    };
    /** The system lacks processes or memory, which may be temporary: the other parts keep running. */
    const refused = (error: Error) => {
      sentence = `The ${command} could not be started: ${error.message}.`;
      log.error({ command, error: faultOf(error) }, "a part of the service could not be started");
      ended(null, null);
    };

    child = undefined;
    let started: ChildProcess;
    try {
      started = spawn(process.execPath, [...process.execArgv, ...(nodeOptions[command] ?? []), botstead, command], {
        stdio: ["ignore", logTo, logTo, "ipc"],
        env: environment,
      });
    } catch (error) {
      refused(error as Error); // spawn throws some errors and emits others
      return;
    }
    started.on("error", (error) => {
      if (started.pid === undefined) refused(error); // other errors concern a message or a signal
    });
    if (started.pid === undefined) return;
    onSpawn(started);
    rest?.then((variables) => started.connected && started.send({ environment: variables }, () => {}));
    started.on("message", (message: Ready | Failure | { metrics: string }) => {
      if (!("ready" in message)) {
        if ("failed" in message) sentence = message.failed;
        return;
      }
      pauseMs = minPauseMs;
      wasReady = true;
      becameReady(message.url);
    });
    // Its last message can arrive after its exit.
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
      const timer = setTimeout(() => running.kill("SIGKILL"), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
