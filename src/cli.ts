/** The command line. Exit codes: 0 done, 1 failed (with a sentence on standard error), 2 wrong usage. */
import { Command, CommanderError } from "commander";
import { describeFault } from "./cli/faults.ts";
import { groups } from "./cli/groups.ts";
import { misspelledSettings } from "./config.ts";
import { endWithParent, reportFailure } from "./processes/part-process.ts";
import { adoptServerSettings } from "./processes/server-settings.ts";
import { print, printError } from "./terminal.ts";
import { version } from "./version.ts";

/** Commands that are processes of their own settings. */
const processes = ["start", "api", "worker", "console", "build"];

const program = new Command("botstead")
  .description("The organisation API of a product in which teams work with bots.")
  .version(version, "-v, --version")
  .configureOutput({ writeOut: (text) => void print(text), writeErr: (text) => void printError(text) })
  .showHelpAfterError("(see --help)")
  .addHelpText(
    "after",
    `
For integrators (docs/integrators.md): login, logout, listen, trigger, events,
runs, api METHOD PATH, export and completion.
Settings come from the environment: .env.example lists them.
Exit codes: 0 done, 1 failed (a sentence says why), 2 wrong usage.`,
  )
  .enablePositionalOptions() // an option after a subcommand belongs to the subcommand: audit and audit list have --json
  .exitOverride();

/** Adds the command of this process, or all commands for a help text and an unknown name. */
async function addCommands(name = ""): Promise<void> {
  const group = groups.find(({ names }) => names.includes(name));
  for (const { load } of group ? [group] : groups) for (const command of await load()) adopt(program, command);
}

/** Runs the command of this process's arguments and sets its exit code. A failed command ends the process. */
export async function run(): Promise<void> {
  endWithParent();
  if (!processes.includes(process.argv[2] ?? "")) {
    const dataDir = adoptServerSettings();
    if (dataDir) printError(`Using the server that was started here, with DATA_DIR=${dataDir}.\n`);
  }
  // A child of `start` has its parent's environment, and the parent has printed the warnings.
  for (const { name, suggestion } of process.send ? [] : misspelledSettings()) {
    printError(`Warning: ${name} is not a setting and has no effect. Did you mean ${suggestion}?\n`);
  }
  // A reader such as head closes its end of the pipe: the command still finishes, with its own exit code.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  try {
    await addCommands(process.argv[2]);
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const sentence = describeFault(error as Error);
    reportFailure(sentence);
    await Promise.all([print(""), printError(`${sentence}\n`)]);
    process.exitCode ??= 1;
    // Resources of a failed start would keep the process alive, and a supervisor would not restart it.
    process.exit();
  }
}

/** Adds a command. Its subcommands inherit the settings, so that wrong usage exits with 2 too. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) child.copyInheritedSettings(command);
  parent.addCommand(command);
}
