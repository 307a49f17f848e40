/**
 * Everything that a command prints. Names, messages and errors are text of others: a control sequence in them could write to the
 * clipboard or rewrite the screen, and a bidirectional control could reorder a line.
 */

/** Control, format, separator and unpaired surrogate characters. Joiners stay, because scripts and emoji need them. */
const unsafe = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeExceptLines = /(?!\u200c|\u200d|\n|\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeInJson = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const replacement = "\u{fffd}";

/** Text for one line: line breaks and tabs are replaced too. */
export const oneLine = (text: string): string => text.replace(unsafe, replacement);

/** JSON without loss: an unsafe character is an escape sequence of JSON. @param indent spaces of a level; 0 is one line */
export const safeJson = (value: unknown, indent = 0): string => escapeJson(JSON.stringify(value, null, indent));

/** @param json text that is JSON, where an unsafe character can only be inside a string */
export const escapeJson = (json: string): string =>
  json.replace(unsafeInJson, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );

/** Prints text of one or more lines. @returns when the stream has accepted it */
export const print = (text: string): Promise<void> => write(process.stdout, text);

/** As print, to standard error. */
export const printError = (text: string): Promise<void> => write(process.stderr, text);

const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => stream.write(text.replace(unsafeExceptLines, replacement), () => resolve()));
