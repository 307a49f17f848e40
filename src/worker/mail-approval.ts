/**
 * The mail with the link to an approval. It names the bot and the kind of approval, but quotes nothing from the run: that
 * text may come from outside the organisation and is shown on the page only. (sql/triggers/approvals.sql)
 */
import { dayAndTime, lines, quoted, type Wording } from "./mail-text.ts";

export type RequestedApproval = {
  approvalId: string;
  organisation: string;
  bot: string;
  kind: "question" | "memory" | "run";
  expiresAt: string;
};

const kinds: Record<RequestedApproval["kind"], { subject: string; what: string; otherwise: string }> = {
  question: {
    subject: "asks you something",
    what: "has stopped in the middle of its work and asks you whether it may go on as it means to.",
    otherwise: "it goes on as if you had said no",
  },
  memory: {
    subject: "wants to remember something",
    what: "wants to remember something that it took from the words of people outside your organisation.",
    otherwise: "it is not remembered",
  },
  run: {
    subject: "wants to start a run",
    what: "wants to start a run because of the words of people outside your organisation.",
    otherwise: "it is not started",
  },
};

/** @param link to the page on which the person answers */
export function wordApproval({ kind, expiresAt, ...data }: RequestedApproval, link: string): Wording {
  const bot = quoted(data.bot);
  const organisation = quoted(data.organisation);
  const { subject, what, otherwise } = kinds[kind];
  return {
    subject: `A bot ${subject}`,
    text: lines(
      "Hello,",
      "",
      `the bot ${bot} of the organisation ${organisation} on Botstead`,
      what,
      "",
      "See what it is about, and approve or refuse it, here:",
      "",
      link,
      "",
      `The link is yours alone and takes one answer. It ends on ${dayAndTime(expiresAt)}; without an`,
      `answer until then ${otherwise}.`,
      "",
      "You get this mail because the bot works for you. Opening the link changes nothing.",
    ),
  };
}
