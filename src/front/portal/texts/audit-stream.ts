/** The English texts of the stream of the audit log. */
import type { Schemas } from "../schemas.ts";
import { endpointTexts } from "./endpoints.ts";

export const auditStreamTexts = {
  title: "Audit stream",
  none: "The log is not sent anywhere. A stream sends it to an address of yours, in order and signed.",
  formats: {
    entries: "Entries of Botstead",
    ocsf: "OCSF 1.3",
  } satisfies Record<Schemas["AuditStreamFormat"], string>,
  fields: {
    format: "Format",
    state: "State",
    sent: "Sent",
    last: "Last delivery",
    outcome: "Last outcome",
    next: "Next attempt",
  },
  /** @param newest of the log */
  sent: (upTo: number, newest: number | undefined) =>
    [`up to No. ${upTo.toLocaleString()}`, ...(newest ? [newest.toLocaleString()] : [])].join(" of "),
  notice: {
    failingText: "The stream has failed since",
    failuresText: (count: number) =>
      count === 0
        ? "Failed attempts are repeated."
        : `Rounds of attempts that failed in a row: ${count}. After 10 the stream is disabled.`,
    secretLostText: endpointTexts.secretLostText,
    rotateText: "Entries wait. Rotate the secret, and store the new one where your endpoint verifies them.",
    disabledReasons: {
      ...endpointTexts.disabledReasons,
      consecutive_failures: "Ten rounds of attempts in a row have failed.",
      gone: "Its endpoint answered that it is gone (410).",
    },
    disabledText: ["The stream is disabled.", "Entries wait until retention drops them. Enable it to continue."],
    pausedText: "The stream is paused. Entries wait until retention drops them.",
  },
  create: { button: "Set up a stream…", title: "Set up the audit stream", action: "Set up" },
  edit: { button: "Edit…", title: "Edit the stream", action: "Save", done: "The stream is saved." },
  pause: { button: "Pause", done: "The stream is paused." },
  resume: { button: "Resume", done: "The stream is active." },
  enable: { button: "Enable", done: "The stream is active." },
  rotate: endpointTexts.rotate,
  remove: {
    button: "Delete stream…",
    title: "Delete the stream?",
    text: "Its endpoint receives no further entries. The audit log stays.",
    action: "Delete stream",
    done: "The stream is deleted.",
  },
};
