/**
 * Subject and text of each kind of mail. A mail contains only what its recipient needs. (docs/specification/service.md#mail)
 */
import { type RequestedApproval, wordApproval } from "./mail-approval.ts";
import { type DisabledEndpoint, wordDisabledEndpoint } from "./mail-disabled-endpoint.ts";
import { type DisabledStream, wordDisabledStream } from "./mail-disabled-stream.ts";
import { type ExpiringKey, wordExpiringKey } from "./mail-expiring-key.ts";
import { dayAndTime, lines, quoted, type Wording } from "./mail-text.ts";

export type Unsent = { recipient: string } & (
  | { kind: "welcome"; data: { organisation: string } }
  | { kind: "invitation"; data: Invitation }
  | { kind: "endpoint_disabled"; data: DisabledEndpoint }
  | { kind: "audit_stream_disabled"; data: DisabledStream }
  | { kind: "key_expiring"; data: ExpiringKey }
  | { kind: "approval"; data: RequestedApproval }
  | { kind: "deletion_scheduled"; data: Deletion }
  | { kind: "deletion_cancelled"; data: Deletion }
);

type Deletion = { organisation: string; deletionAt: string };
type Invitation = { organisation: string; invitedBy: string | null; role: "admin" | "member"; expiresAt: string };

/**
 * @param baseUrl of the API and the pages
 * @param token of the invitation or the approval; other kinds have none
 */
export function word(mail: Unsent, baseUrl: string, token: string | undefined): Wording {
  if (mail.kind === "welcome") return wordWelcome(mail.data);
  if (mail.kind === "invitation") return wordInvitation(mail.data, token ? `${baseUrl}/invitation/${token}` : "");
  if (mail.kind === "approval") return wordApproval(mail.data, token ? `${baseUrl}/approval/${token}` : "");
  if (mail.kind === "audit_stream_disabled") return wordDisabledStream(mail.data, `${baseUrl}/api/v1`);
  if (mail.kind === "deletion_scheduled") return wordScheduledDeletion(mail.data);
  if (mail.kind === "deletion_cancelled") return wordCancelledDeletion(mail.data);
  if (mail.kind === "key_expiring") return wordExpiringKey(mail.data, `${baseUrl}/api/v1`);
  return wordDisabledEndpoint(mail.data, `${baseUrl}/api/v1`);
}

function wordWelcome(data: { organisation: string }): Wording {
  const organisation = quoted(data.organisation);
  return {
    subject: "You own an organisation on Botstead",
    text: lines(
      "Hello,",
      "",
      `the organisation ${organisation} was set up on Botstead, and you are its owner.`,
      "The person who set it up can give you its first API key.",
    ),
  };
}

function wordScheduledDeletion({ deletionAt, ...data }: Deletion): Wording {
  const organisation = quoted(data.organisation);
  return {
    subject: "Your organisation on Botstead will be deleted",
    text: lines(
      "Hello,",
      "",
      `an operator of Botstead has scheduled the deletion of the organisation ${organisation}`,
      `for ${dayAndTime(deletionAt)}.`,
      "",
      "Until then it works as before. Then all its data is deleted for good, and its keys stop working.",
      "If this is not intended, ask your operator to cancel it.",
      "",
      `You get this mail because you are an owner of ${organisation}.`,
    ),
  };
}

function wordCancelledDeletion({ deletionAt, ...data }: Deletion): Wording {
  const organisation = quoted(data.organisation);
  return {
    subject: "Your organisation on Botstead will not be deleted",
    text: lines(
      "Hello,",
      "",
      `an operator of Botstead has cancelled the deletion of the organisation ${organisation},`,
      `which was scheduled for ${dayAndTime(deletionAt)}.`,
      "",
      `You get this mail because you are an owner of ${organisation}.`,
    ),
  };
}

function wordInvitation({ role, expiresAt, ...data }: Invitation, link: string): Wording {
  const organisation = quoted(data.organisation);
  const invitedBy = data.invitedBy === null ? "A member" : quoted(data.invitedBy);
  return {
    subject: "You are invited to an organisation on Botstead",
    text: lines(
      "Hello,",
      "",
      `${invitedBy} invites you to join the organisation ${organisation} on Botstead`,
      `as ${role === "admin" ? "an admin" : "a member"}.`,
      "",
      "Read and accept the invitation here:",
      "",
      link,
      "",
      `The link is personal, works once, and ends on ${dayAndTime(expiresAt)}.`,
      "If you did not expect this mail, there is nothing to do.",
    ),
  };
}
