/** Exit codes of commands that check something (docs/commands.md#exit-codes): 0 in order, 1 not in order, 3 not checked. */
import type { Command } from "commander";

/** @param check resolves to whether all is in order */
export async function checking(check: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await check()) ? 0 : 1;
  } catch (error) {
    process.exitCode = 3;
    throw error;
  }
}

/** Adds the exit codes to `--help`. */
export function explainExitCodes(command: Command, found: string): Command {
  return command.addHelpText("after", `\nExit codes: 0 ${found}, 1 otherwise, 2 wrong usage, 3 could not check.`);
}
