/** Lines of the audit's report. */

const width = 100;

export const section = (title: string, lines: string[]): string[] => ["", title, ...lines.map((line) => `  ${line}`)];

/** Wraps text at the page width; the first line begins with `label`. */
export function beside(label: string, text: string): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && label.length + last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line, index) => (index === 0 ? label : " ".repeat(label.length)) + line);
}
