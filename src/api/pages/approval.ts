/**
 * The page of an approval's mailed link, with two buttons. It works without JavaScript. A GET changes nothing, so a mail
 * scanner that follows the link answers nothing. Text from the run is framed, because it may come from an outsider who
 * imitates the service. (docs/specification/approvals.md#answering)
 */
import { type Response, Router } from "express";
import { type ApprovalShown, answerApproval, readApproval } from "../../contract/approval-page.ts";
import { type Html, html, page, sendPage, time } from "../../web/layout.ts";
import { content, quote, title } from "./approval-content.ts";
import type { Ask } from "./ask.ts";
import { readForm } from "./form.ts";
import { only } from "./methods.ts";

export function approvalPages(ask: Ask, onward: Html): Router {
  const router = Router({ strict: true, caseSensitive: true });

  router.get("/approval/:token", async (request, response) => {
    show(await ask(readApproval, request), response, onward);
  });

  router.post("/approval/:token", readForm("bsa"), async (request, response) => {
    const { answer, comment: given } = (request.body ?? {}) as Record<string, unknown>;
    const comment = String(given ?? "")
      .replaceAll("\r\n", "\n")
      .trim(); // browsers send CRLF
    const answered = await ask(answerApproval, request, { answer, ...(comment ? { comment } : {}) });
    if (answered.status === 200 || answered.status === 401) {
      show(answered, response, onward);
      return;
    }
    // Shows the refusal together with the current state.
    const refused = { status: answered.status, complaint: complaints[answered.status], comment };
    show(await ask(readApproval, request), response, onward, refused);
  });

  router.all("/approval/:token", only("get", "post"));
  return router;
}

const complaints: Record<number, string> = {
  400: "Press one of the two buttons. A comment has at most 1,000 characters.",
  402: "It can't be approved now: the organisation needs a trial or a payment first.",
  403: "It can't be approved: you or the subject do not permit this memory or run.",
  404: "It can't be approved: its bot or the memory that it replaces was deleted, or you cannot talk to the bot.",
  409: "It can't be approved: the memory that it replaces has ended or was replaced. You can refuse it.",
  429: "It can't be approved now: too many runs were started in the last hour. Try again later.",
  503: "It can't be approved at the moment, and nothing was changed. Try again soon.",
};

/** A refused answer, whose comment the page keeps. */
type Refused = { status: number; complaint: string | undefined; comment: string };

function show(answer: Shown, response: Response, onward: Html, refused?: Refused): void {
  if (answer.status !== 200) {
    const status = answer.status === 401 ? 404 : answer.status === 403 ? 410 : answer.status;
    sendPage(response, status, errorPage(answer.status));
    return;
  }
  const approval = JSON.parse(answer.body) as ApprovalShown;
  if (approval.state === "pending") {
    sendPage(response, refused?.complaint ? refused.status : 200, pending(approval, refused));
  } else sendPage(response, ["approved", "refused"].includes(approval.state) ? 200 : 410, settled(approval, onward));
}

function pending(approval: ApprovalShown, { complaint, comment }: Partial<Refused> = {}): string {
  const { organisation, bot, kind, expiresAt } = approval;
  const waits = kind === "question" ? "Its run waits for your answer." : "Nothing happens unless you approve.";
  return page(
    title(approval),
    html`<p><strong>${bot}</strong>, a bot of <strong>${organisation}</strong>, asks you. ${waits}</p>
      ${content(approval)}
      ${complaint ? html`<p role="alert">${complaint}</p>` : html``}
      <form method="post">
        <label for="comment">Comment (optional)</label>
        <textarea id="comment" name="comment" maxlength="1000" rows="3">${comment ?? ""}</textarea>
        <p class="quiet">${commentHints[kind]}</p>
        <button name="answer" value="approved">Approve</button>
        <button name="answer" value="refused" class="refuse">Refuse</button>
      </form>
      <p class="quiet">Your answer is final. Without one until ${time(expiresAt)} it counts as refused.</p>`,
    organisation,
  );
}

const commentHints: Record<ApprovalShown["kind"], string> = {
  question: "The bot reads it with your answer.",
  memory: "It is stored with your answer, and not in the memory.",
  run: "It is stored with your answer. The new run does not get it.",
};

type Shown = { status: number; body: string };

type Settled = Exclude<ApprovalShown["state"], "pending">;

const headings: Record<Settled, string> = {
  approved: "Approved",
  refused: "Refused",
  expired: "Too late",
  withdrawn: "Withdrawn",
};

const outcomes: Record<Settled, Record<ApprovalShown["kind"], string>> = {
  approved: {
    question: "You approved it, and the run continues.",
    memory: "You approved the memory, and it is stored.",
    run: "You approved the run, and it starts.",
  },
  refused: {
    question: "You refused it. The run continues with your answer.",
    memory: "You refused the memory. It is not stored.",
    run: "You refused the run. It does not start.",
  },
  expired: {
    question: "It expired without an answer, which counts as refused. The run continues.",
    memory: "It expired without an answer. The memory is not stored.",
    run: "It expired without an answer. The run does not start.",
  },
  withdrawn: {
    question: "Its run ended before you answered.",
    memory: "Its run was cancelled before you answered. The memory is not stored.",
    run: "Its run was cancelled before you answered. The run does not start.",
  },
};

function settled({ state, kind, bot, organisation, answeredAt, comment }: ApprovalShown, onward: Html): string {
  const end = state as Settled;
  return page(
    headings[end],
    html`<p><strong>${bot}</strong>, a bot of <strong>${organisation}</strong>, asked you something. ${outcomes[end][kind]}</p>
      ${comment ? html`<p>Your comment:</p>${quote(comment)}` : html``}
      <p class="quiet">${answeredAt ? html`Answered on ${time(answeredAt)}. ` : html``}A link accepts one answer.</p>
      ${onward}`,
    organisation,
  );
}

function errorPage(status: number): string {
  if (status === 401) {
    return page("Approval not found", html`<p>This link leads to no approval. It may be incomplete.</p>`);
  }
  if (status === 403) {
    return page(
      "You cannot answer this",
      html`<p>The person of this approval has left the organisation, or can no longer see the bot.</p>`,
    );
  }
  if (status === 429) return page("One moment", html`<p>There were many tries from here. Try again in a minute.</p>`);
  return page(
    "Not right now",
    html`<p>The service can't answer at the moment. Nothing was changed: try again soon.</p>`,
  );
}
