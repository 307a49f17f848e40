/** `botstead completion`: scripts that complete the commands for integrators in a shell. */
import { eventKinds } from "../contract/event-kinds.ts";

/** The words after a command. */
const words: Record<string, string[]> = {
  login: ["--url", "--json"],
  logout: [],
  listen: ["--forward-to", "--events", "--secret", "--json"],
  trigger: [...Object.keys(eventKinds), "--bot", "--webhook", "--member", "--json"],
  events: ["tail", "--event", "--after", "--json"],
  runs: ["start", "watch", "--bot", "--message", "--json"],
  api: ["GET", "POST", "PATCH", "DELETE", "--data"],
  export: ["--json"],
  completion: ["bash", "zsh", "fish"],
};

const commands = Object.keys(words).join(" ");
const cases = Object.entries(words).map(([command, after]) => `    ${command}) words="${after.join(" ")}" ;;`);

const bash = `_botstead() {
  local words="${commands}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.map((line) => `  ${line}`).join("\n")}
      *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _botstead botstead
`;

const fish = [
  `complete -c botstead -f -n __fish_use_subcommand -a "${commands}"`,
  ...Object.entries(words).map(
    ([command, after]) => `complete -c botstead -f -n "__fish_seen_subcommand_from ${command}" -a "${after.join(" ")}"`,
  ),
  "",
].join("\n");

/** A shell without set-up of its own has no completion system yet. */
const zsh = `(( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i; }
autoload -Uz bashcompinit && bashcompinit
${bash}`;

export const completions: Record<string, string> = {
  bash,
  zsh,
  fish,
};
