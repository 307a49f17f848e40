/** Pages that say why a person is not asked for consent. Nothing is sent to a client without an action of the person. */
import type { Response } from "express";
import { sendPage } from "../../web/layout.ts";
import { type Consenting, problemPage, signInPage } from "./consent-page.ts";

type Problem = { status: number; title: string; text: string };

const problems = {
  forged: {
    status: 403,
    title: "Try again",
    text: "The form was not sent by this page. Go back, reload the page and answer again.",
  },
  notAllowed: {
    status: 403,
    title: "You cannot allow this",
    text:
      "Only owners and admins can give a program access, in a portal that they opened for themselves and that shows keys. " +
      "Ask one of them to connect it.",
  },
  client: { status: 400, title: "The program is not known", text: "" },
  redirect: {
    status: 400,
    title: "The program asks wrongly",
    text: "It wants the answer at an address that its document does not list, or that is neither https nor on this computer.",
  },
  request: { status: 400, title: "The program asks wrongly", text: "" },
  full: {
    status: 409,
    title: "No room for another key",
    text: "The organisation has as many live keys as it may have. Revoke one in the list of keys, then connect again.",
  },
  suspended: { status: 403, title: "The organisation is suspended", text: "No program can be connected meanwhile." },
  busy: { status: 429, title: "One moment", text: "There were many tries from here. Try again in a minute." },
  away: { status: 503, title: "Not right now", text: "The service can't answer at the moment. Try again soon." },
} satisfies Record<string, Problem>;

/** @param detail a sentence in place of the usual text. @param back address of the client, with the error */
export function sendProblem(response: Response, name: keyof typeof problems, detail = "", back?: string): void {
  const { status, title, text }: Problem = problems[name];
  sendPage(
    response,
    status,
    problemPage(title, detail || text, back === undefined ? undefined : { uri: back, host: new URL(back).host }),
  );
}

/** The page for the refusal of an operation of the session. */
export function sendRefusal(
  response: Response,
  status: number,
  query: string,
  applicationUrl: string | undefined,
): void {
  if (status === 401) sendPage(response, 401, signInPage(query, applicationUrl));
  else sendProblem(response, status === 403 ? "suspended" : status === 429 ? "busy" : "away");
}

export const isFull = ({ limits: { liveKeys } }: Consenting): boolean =>
  liveKeys.limit !== null && liveKeys.used >= liveKeys.limit;
