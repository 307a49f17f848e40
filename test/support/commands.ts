/** The commands of the command line. */
import type { Command } from "commander";
import { groups } from "../../src/cli/groups.ts";

/** Commands with an action, by the words that run them, such as `key mint`. */
export async function everyCommand(): Promise<Map<string, Command>> {
  const commands = new Map<string, Command>();
  const add = (command: Command, parents: string[]) => {
    const words = [...parents, command.name()];
    if ("_actionHandler" in command && command._actionHandler) commands.set(words.join(" "), command);
    for (const each of command.commands) add(each, words);
  };
  for (const { load } of groups) for (const command of await load()) add(command, []);
  return commands;
}
