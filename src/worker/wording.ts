/**
 * The words of each kind of mail. A mail says what its reader needs, and nothing else of the organisation. (decisions:
 * section 4.)
 */
export type Unsent = { recipient: string } & (
  | { kind: "welcome"; data: { organisation: string } }
  | {
      kind: "invitation";
      data: { organisation: string; invitedBy: string | null; role: "admin" | "member"; expiresAt: string };
    }
);

export type Wording = { subject: string; text: string };

/** @param link where an invitation is answered; kinds without one leave it out */
export function word(mail: Unsent, link: string | undefined): Wording {
  const organisation = onOneLine(mail.data.organisation);
  if (mail.kind === "welcome") {
    return {
      subject: `You own ${organisation} on Botstead`,
      text: lines(
        "Hello,",
        "",
        `the organisation ${organisation} was set up on Botstead, and you are its owner.`,
        "Whoever set it up can give you its first API key.",
      ),
    };
  }
  const { role, expiresAt } = mail.data;
  const invitedBy = onOneLine(mail.data.invitedBy ?? "Somebody");
  return {
    subject: `Join ${organisation} on Botstead`,
    text: lines(
      "Hello,",
      "",
      `${invitedBy} invites you to join ${organisation} on Botstead as ${role === "admin" ? "an admin" : "a member"}.`,
      "",
      "See the invitation and accept it here:",
      "",
      link ?? "",
      "",
      `The link is yours alone, works once, and ends on ${expiresAt.slice(0, 10)} at ${expiresAt.slice(11, 16)} UTC.`,
      "If you did not expect this mail, there is nothing to do.",
    ),
  };
}

/** A name given by somebody else: it stays within its sentence, and makes no paragraphs in our name. */
function onOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}

function lines(...all: string[]): string {
  return `${all.join("\n")}\n`;
}
