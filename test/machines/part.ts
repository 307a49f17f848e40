/** A Botstead process that a test starts, stops, kills and restarts, as a supervisor would. */
import { type Program, runProgram, untilWorks } from "../support/program.ts";

export type Part = {
  kill(signal?: NodeJS.Signals): Promise<unknown>;
  /** Resolves when the process works. @param script program of another version, for this and later starts */
  start(script?: string): Promise<void>;
};

/**
 * @param command command of the CLI, for example `api`
 * @param watch called before each start; its result returns whether the started process works
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
