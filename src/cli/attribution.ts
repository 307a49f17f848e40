/** The operator and the reason of a command that changes something. The operators' log shows them. */
import { userInfo } from "node:os";
import { type Command, Option } from "commander";
import { sudoUser } from "../config.ts";
import { within } from "./texts.ts";

export type { Attribution } from "../database/attribution.ts";

/** The subcommands of these names, with both options after their own. */
export function attributedAll(command: Command, ...names: string[]): Command {
  for (const each of command.commands) if (names.includes(each.name())) attributed(each);
  return command;
}

export function attributed(command: Command): Command {
  return command
    .addOption(
      new Option("--by <name>", "who does this, for the operators' log, 1 to 60 characters")
        .default(systemLogin(), "your login")
        .argParser((text) => within(text, 60)),
    )
    .option("--reason <text>", "for the operators' log, 1 to 500 characters", (text) => within(text, 500));
}

/** The person's login, also under sudo. At most 60 characters. */
function systemLogin(): string {
  return [...(sudoUser() ?? systemUser())].slice(0, 60).join("");
}

/** The name of the process's user, or its id: in a container it may have no name. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
