/**
 * The command line. Exit codes: 0 done; 1 could not be done, with a sentence on standard error; 2 not understood.
 */
import { Command, CommanderError } from "commander";
import { credentialCommands } from "./cli/credentials.ts";
import { processCommands } from "./cli/processes.ts";
import { version } from "./version.ts";

const program = new Command("botstead")
  .description("The organisation API of a product in which teams work with bots.")
  .version(version, "-v, --version")
  .showHelpAfterError("(--help tells more)")
  .addHelpText(
    "after",
    `
Settings come from the environment: README.md lists them.
Exit codes: 0 done, 1 could not be done (a sentence says why), 2 not understood.`,
  )
  .exitOverride();

for (const command of [...processCommands(), ...credentialCommands()]) {
  program.addCommand(command.copyInheritedSettings(program));
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
