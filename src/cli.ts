/** The command line. Exit codes: 0 done; 1 failed, with a sentence on standard error; 2 wrong usage. */
import { Command, CommanderError } from "commander";
import { describeFault } from "./cli/faults.ts";
import { misspelledSettings } from "./config.ts";
import { endWithParent, reportFailure } from "./processes/part-process.ts";
import { version } from "./version.ts";

const program = new Command("botstead")
  .description("The organisation API of a product in which teams work with bots.")
  .version(version, "-v, --version")
  .showHelpAfterError("(see --help)")
  .addHelpText(
    "after",
    `
For integrators (docs/integrators.md): login, logout, listen, trigger, events,
runs, api METHOD PATH and completion.
Settings come from the environment: docs/settings.md lists them.
Exit codes: 0 done, 1 failed (a sentence says why), 2 wrong usage.`,
  )
  .enablePositionalOptions() // an option after a subcommand is that of the subcommand: audit and audit list have --json
  .exitOverride();

type Group = { names: string[]; load: () => Promise<Command[]> };

/** A process loads the group of its command alone, which saves a sixth of the processor time of a short command. */
const groups: Group[] = [
  {
    names: ["start", "api", "worker", "console", "migrate", "secrets", "database-url"],
    load: async () => (await import("./cli/processes.ts")).processCommands(),
  },
  {
    names: ["platform-key", "key"],
    load: async () => (await import("./cli/credentials.ts")).credentialCommands(),
  },
  { names: ["operator"], load: async () => [(await import("./cli/operators.ts")).operatorCommand()] },
  { names: ["executor"], load: async () => [(await import("./cli/executors.ts")).executorCommand()] },
  { names: ["model-price"], load: async () => [(await import("./cli/model-prices.ts")).modelPriceCommand()] },
  { names: ["audit"], load: async () => [(await import("./cli/audit.ts")).auditCommand()] },
  { names: ["status"], load: async () => [(await import("./cli/status.ts")).statusCommand()] },
  { names: ["doctor"], load: async () => [(await import("./cli/doctor.ts")).doctorCommand()] },
  { names: ["queue"], load: async () => [(await import("./cli/queue.ts")).queueCommand()] },
  { names: ["request"], load: async () => [(await import("./cli/requests.ts")).requestCommand()] },
  { names: ["run"], load: async () => [(await import("./cli/runs.ts")).runCommand()] },
  { names: ["delivery"], load: async () => [(await import("./cli/deliveries.ts")).deliveryCommand()] },
  { names: ["master-key"], load: async () => [(await import("./cli/master-key.ts")).masterKeyCommand()] },
  { names: ["signing-key"], load: async () => [(await import("./cli/signing-keys.ts")).signingKeyCommand()] },
  { names: ["backup"], load: async () => [(await import("./cli/backup.ts")).backupCommand()] },
  { names: ["restore"], load: async () => [(await import("./cli/backup.ts")).restoreCommand()] },
  { names: ["organisation"], load: async () => [(await import("./cli/organisations.ts")).organisationCommand()] },
  { names: ["directory", "cell"], load: async () => (await import("./cli/cells.ts")).cellCommands() },
  { names: ["witness"], load: async () => [(await import("./cli/witness.ts")).witnessCommand()] },
];

/** Adds the command of this process, or all commands for a help text and an unknown name. */
async function addCommands(name = ""): Promise<void> {
  const group = groups.find(({ names }) => names.includes(name));
  for (const { load } of group ? [group] : groups) for (const command of await load()) adopt(program, command);
}

/** Runs the command of this process's arguments and sets its exit code. A failed command ends the process. */
export async function run(): Promise<void> {
  endWithParent();
  // A child of `start` has its parent's environment, and the parent has printed the warnings.
  for (const { name, suggestion } of process.send ? [] : misspelledSettings()) {
    process.stderr.write(`Warning: ${name} is not a setting and has no effect. Did you mean ${suggestion}?\n`);
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
    await Promise.all([written(process.stdout, ""), written(process.stderr, `${sentence}\n`)]);
    process.exitCode ??= 1;
    // Resources of a failed start would keep the process alive, and a supervisor would not restart it.
    process.exit();
  }
}

const written = (stream: NodeJS.WriteStream, text: string) =>
  new Promise<void>((resolve) => stream.write(text, () => resolve()));

/** Adds a command. Its subcommands inherit the settings, so that wrong usage exits with 2 too. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) child.copyInheritedSettings(command);
  parent.addCommand(command);
}
