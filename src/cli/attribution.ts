/** The operator and the reason of a command. Commands that change something require both, and the operators' log shows them. */
import type { Command } from "commander";
import { within } from "./texts.ts";

export type Attribution = { by: string; reason: string };

/** The subcommands of these names, with both options after their own. */
export function attributedAll(command: Command, ...names: string[]): Command {
  for (const each of command.commands) if (names.includes(each.name())) attributed(each);
  return command;
}

export function attributed(command: Command): Command {
  return command
    .requiredOption("--by <name>", "who does this, for the operators' log, 1 to 60 characters", (text) =>
      within(text, 60),
    )
    .requiredOption("--reason <text>", "for the operators' log, 1 to 500 characters", (text) => within(text, 500));
}
