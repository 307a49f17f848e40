/** A system program that serves a port. A test starts, kills and restarts it, as a supervisor would. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { Account } from "../../src/database/embedded/account.ts";
import { processTree, signalAll } from "../support/process-tree.ts";
import { eventually } from "../support/worker.ts";

export type Daemon = {
  port: number;
  /** Sends the signal to the program and all its children, as a machine failure would. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the program has exited. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /**
   * Resolves when the program works.
   *
   * @throws Error with its output when it exits before that, or cannot be started
   */
  start(): Promise<void>;
};

type Command = {
  program: string;
  args: string[];
  port: number;
  cwd: string;
  account: Account | undefined;
  /** Defaults to whether it accepts connections. */
  works?(): Promise<boolean>;
};

/** Creates the program without starting it, so that a test can always stop it. */
export function daemon({ program, args, port, cwd, account, works = () => takesConnections(port) }: Command): Daemon {
  let child: ChildProcess | undefined;
  const hasEnded = () => child?.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const self: Daemon = {
    port,
    async start() {
      child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], ...account });
      let said = "";
      child.once("error", (error) => (said += error.message));
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4_000)));
      }
      const comesUp = eventually(async () => (await works()) || hasEnded());
      await comesUp.catch(() => self.kill());
      if (hasEnded()) throw new Error(`${program} did not come up: ${said}`);
    },
    signal(signal) {
      signalAll(processTree(child?.pid ?? 0), signal);
    },
    async kill(signal = "SIGKILL") {
      if (!child || hasEnded()) return;
      const ended = once(child, "exit");
      if (signal === "SIGKILL") self.signal(signal);
      else child.kill(signal);
      await ended;
    },
  };
  return self;
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}
