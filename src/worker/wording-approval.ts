/**
 * The mail that leads to an approval card. It says which bot asks and what kind of answer it needs, and quotes nothing
 * that came from the run: those may be a stranger's words, and are read on the page. (sql/triggers/approvals.sql)
 */
import { dayAndTime, lines, onOneLine, type Wording } from "./words.ts";

export type ApprovalAsked = {
  approvalId: string;
  organisation: string;
  bot: string;
  kind: "question" | "memory" | "run";
  expiresAt: string;
};

const asked: Record<ApprovalAsked["kind"], { subject: string; what: string; otherwise: string }> = {
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

/** @param link where the card is answered */
export function wordApproval({ kind, expiresAt, ...data }: ApprovalAsked, link: string): Wording {
  const bot = onOneLine(data.bot);
  const organisation = onOneLine(data.organisation);
  const { subject, what, otherwise } = asked[kind];
  return {
    subject: `${bot} ${subject} (${organisation} on Botstead)`,
    text: lines(
      "Hello,",
      "",
      `${bot}, a bot of ${organisation}, ${what}`,
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
