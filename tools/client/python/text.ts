/** Python source: indentation, docstrings and names. */

export const indent = (text: string, levels = 1): string => text.replaceAll(/^(?=.)/gm, "    ".repeat(levels));

/** A docstring; long lines are wrapped. Returns "" if there is no text. */
export function docstring(text: string | undefined): string {
  if (!text?.trim()) return "";
  const lines = text.trim().replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').split("\n").flatMap(wrap);
  const only = lines.length === 1 ? lines[0] : undefined;
  if (only !== undefined && !only.endsWith('"')) return `"""${only}"""`;
  return `"""\n${lines.join("\n")}\n"""`;
}

const maxLine = 108; // characters, without the indentation

function wrap(line: string): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current && current.length + word.length >= maxLine) {
      lines.push(current);
      current = word;
    } else current = current ? `${current} ${word}` : word;
  }
  return [...lines, current];
}

/** `botId` as `bot_id`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `list_bots` as `ListBots`, `pauseReason` as `PauseReason`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
