/** A process of Botstead, started as its supervisor would, asked to stop or killed, and started again. */
import { type Program, runProgram, untilWorks } from "../support/program.ts";

export type Part = {
  kill(signal?: NodeJS.Signals): Promise<unknown>;
  /** Resolves when it works. @param script of another version from now on */
  start(script?: string): Promise<void>;
};

/**
 * @param command of the command line, as `api`
 * @param watch asked before each start; what it answers tells whether the process that was started works by now
 */
export async function startPart(
  command: string,
  env: Record<string, string>,
  watch: () => Promise<() => Promise<boolean>>,
): Promise<Part> {
  let program: Program | undefined;
  let script: string | undefined;
  const part: Part = {
    async kill(signal = "SIGKILL") {
      await program?.kill(signal);
    },
    async start(other) {
      script = other ?? script;
      const works = await watch();
      program = runProgram([command], { env, ...(script ? { script } : {}) });
      await untilWorks(program, works);
    },
  };
  await part.start();
  return part;
}
