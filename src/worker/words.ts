/** What mails are made of. */
export type Wording = { subject: string; text: string };

/** A name given by somebody else: it stays within its sentence, and makes no paragraphs in our name. */
export function onOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}

/** A time as the API writes it, for people: "2026-11-20 at 14:40 UTC". */
export function dayAndTime(timestamp: string): string {
  return `${timestamp.slice(0, 10)} at ${timestamp.slice(11, 16)} UTC`;
}

export function lines(...all: string[]): string {
  return `${all.join("\n")}\n`;
}
