/**
 * Ends the server when this process ends without doing so, for example by SIGKILL. PostgreSQL does not notice the end of
 * its parent. A shell waits until its pipe from this process closes, which the kernel does for any end.
 */
import { spawn } from "node:child_process";
import type { Account } from "./account.ts";
import { ENVIRONMENT } from "./binaries.ts";

/**
 * First a smart shutdown: the API and the worker, which stop at the same time, complete their current work on their
 * connections. After 15 s, as long as `start` gives them, the fast, the immediate shutdown, and SIGKILL.
 */
const script = `
  read -r _
  kill -TERM $1 || exit
  seconds=0
  while sleep 1 && kill -0 $1; do
    seconds=$((seconds + 1))
    case $seconds in
      15) kill -INT $1 ;;
      25) kill -QUIT $1 ;;
      30) kill -KILL $1 ;;
      35) exit ;;
    esac
  done`;

/** @returns ends the guardian, without effect on the server */
export function guardServer(pid: number, account: Account | undefined): () => void {
  const guardian = spawn("/bin/sh", ["-c", script, "botstead-guardian", String(pid)], {
    cwd: "/",
    detached: true, // so that Ctrl-C in a terminal does not end it
    stdio: ["pipe", "ignore", "ignore"],
    env: ENVIRONMENT,
    ...account,
  });
  guardian.on("error", () => {}); // without a guardian, the next start ends an orphan
  guardian.unref();
  (guardian.stdin as unknown as { unref(): void } | null)?.unref();
  return () => void guardian.kill("SIGKILL");
}
