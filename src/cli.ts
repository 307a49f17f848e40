/**
 * The command line. Exit codes: 0 done; 1 could not be done, with a sentence on standard error; 2 not understood.
 */
import { Command, CommanderError } from "commander";
import { auditCommand } from "./cli/audit.ts";
import { credentialCommands } from "./cli/credentials.ts";
import { executorCommand } from "./cli/executors.ts";
import { masterKeyCommand } from "./cli/master-key.ts";
import { modelPriceCommand } from "./cli/model-prices.ts";
import { operatorCommand } from "./cli/operators.ts";
import { processCommands } from "./cli/processes.ts";
import { isOutage } from "./database/outage.ts";
import { sayFailed } from "./supervision.ts";
import { version } from "./version.ts";

const program = new Command("botstead")
  .description("The organisation API of a product in which teams work with bots.")
  .version(version, "-v, --version")
  .showHelpAfterError("(--help tells more)")
  .addHelpText(
    "after",
    `
Settings come from the environment: docs/settings.md lists them.
Exit codes: 0 done, 1 could not be done (a sentence says why), 2 not understood.`,
  )
  .exitOverride();

const commands = [
  ...processCommands(),
  ...credentialCommands(),
  operatorCommand(),
  executorCommand(),
  modelPriceCommand(),
  auditCommand(),
  masterKeyCommand(),
];
for (const command of commands) adopt(program, command);

/** Does what the arguments of this process say, and sets its exit code; what could not be done ends the process. */
export async function run(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const sentence = inWords(error as Error);
    sayFailed(sentence);
    await Promise.all([written(process.stdout, ""), written(process.stderr, `${sentence}\n`)]);
    process.exitCode ??= 1;
    // What was opened before a start failed would keep the process, half working, and nobody would start it again.
    process.exit();
  }
}

const written = (stream: NodeJS.WriteStream, text: string) =>
  new Promise<void>((resolve) => stream.write(text, () => resolve()));

/** Commands below a command are settled as the whole is: what they don't understand ends in 2 as well. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) child.copyInheritedSettings(command);
  parent.addCommand(command);
}

function inWords(error: Error): string {
  // An address with several answers fails with one error for each, and says nothing itself.
  const reason = (error instanceof AggregateError ? (error.errors as Error[]) : [error])
    .map(({ message }) => message)
    .join("; ");
  return isOutage(error) ? `The database can't be reached: ${reason}.` : reason;
}
