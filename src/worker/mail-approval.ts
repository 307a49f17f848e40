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
    what: "asks you a question and waits for your answer.",
    otherwise: "the question counts as refused",
  },
  memory: {
    subject: "wants to store a memory",
    what: "wants to store a memory from text of people outside your organisation.",
    otherwise: "it is not stored",
  },
  run: {
    subject: "wants to start a run",
    what: "wants to start a run because of text of people outside your organisation.",
    otherwise: "it does not start",
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
      "Read the details, and approve or refuse, here:",
      "",
      link,
      "",
      `The link is personal and accepts one answer. It ends on ${dayAndTime(expiresAt)}; without an`,
      `answer until then ${otherwise}.`,
      "",
      "You get this mail because the bot works for you. Opening the link changes nothing.",
    ),
  };
}
