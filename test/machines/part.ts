/** A process of Botstead, started as its supervisor would, asked to stop or killed, and started again. */
import { type Program, runProgram } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

export type Part = {
  kill(signal?: NodeJS.Signals): Promise<unknown>;
  /** Resolves when it works. @param script of another version from now on */
  start(script?: string): Promise<void>;
};

/** @param command of the command line, as `api` @param works whether it does by now */
export async function startPart(
  command: string,
  env: Record<string, string>,
  works: () => Promise<boolean>,
): Promise<Part> {
  let program: Program | undefined;
  let script: string | undefined;
  const part: Part = {
    async kill(signal = "SIGKILL") {
      await program?.kill(signal);
    },
    async start(other) {
      script = other ?? script;
      const started = runProgram([command], { env, ...(script ? { script } : {}) });
      program = started;
      const hasEnded = () => started.child.exitCode !== null || started.child.signalCode !== null;
      await eventually(async () => hasEnded() || (await works().catch(() => false)), 30_000);
      if (hasEnded()) throw new Error(`${command} ended: ${started.stderr()}`);
    },
  };
  await part.start();
  return part;
}
