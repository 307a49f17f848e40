/** Subject and text of a mail, and the parts that mails share. */
export type Wording = { subject: string; text: string };

/** Removes line breaks and control characters from a user's text, so that it cannot add paragraphs to our mail. */
export function onOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}

/** The same in quotation marks, so that the reader sees where the text ends. */
export function quoted(name: string): string {
  return `"${onOneLine(name).replaceAll('"', "'")}"`;
}

/** Formats a timestamp of the API: "2026-11-20 at 14:40 UTC". */
export function dayAndTime(timestamp: string): string {
  return `${timestamp.slice(0, 10)} at ${timestamp.slice(11, 16)} UTC`;
}

export function lines(...all: string[]): string {
  return `${all.join("\n")}\n`;
}
