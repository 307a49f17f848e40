/** The content of an approval's page. Text of the run is shown in frames. */
import type { ApprovalShown } from "../../contract/approval-page.ts";
import { type Html, html, joined, time } from "../../web/layout.ts";
import { visible } from "./visible.ts";

type ShownFields = Pick<
  ApprovalShown,
  "kind" | "question" | "reason" | "memory" | "run" | "taint" | "began" | "startedAt"
>;

/** The heading contains no text of the run. */
export function title({ kind }: Pick<ShownFields, "kind">): string {
  return { question: "May it continue?", memory: "May it store this memory?", run: "May it start a run?" }[kind];
}

export function content(approval: ShownFields): Html {
  const { taint, began, startedAt } = approval;
  return html`${
    taint
      ? html`<p>The run contains text from <strong>outside your organisation</strong>, whose authors may have influenced what
          it writes here.</p>`
      : html``
  }
    ${proposal(approval)}
    <p class="quiet">Framed text was written by the bot${taint ? " or comes from outside" : ""}. It is not from
      Botstead, which only asks you to press one of the buttons.</p>
    ${
      began
        ? html`<details><summary>First message of the run, on ${time(startedAt)}</summary>
            ${quote(began)}</details>`
        : html``
    }`;
}

function proposal({ question, reason, memory, run }: ShownFields): Html {
  if (memory) {
    const { scope, kind, subject, subjectKind, value, confidence, validFrom, validTo, lawfulBasis, supersedes } =
      memory;
    return html`<p>It would store a memory ${scopes[scope]}:</p>
      ${quote(value)}
      ${list([
        ["About", subject],
        ["Kind", kind],
      ])}
      ${
        supersedes
          ? html`<p>It would replace the memory <code>${supersedes}</code> of the same kind about the same, which ends then.</p>`
          : html``
      }
      <p class="quiet">${subjects[subjectKind]} ${String(Math.round(confidence * 100))} % sure. ${
        validFrom ? html`Valid from ${time(validFrom)}. ` : html``
      }${
        validTo ? html`Valid until ${time(validTo)}.` : "No end date."
      } Lawful basis: ${lawfulBasis.replaceAll("_", " ")}. If you approve, it stays marked as coming from outside the organisation.</p>`;
  }
  if (run) {
    return html`<p>It would start a run of the bot <strong>${run.bot ?? "that was deleted"}</strong>, in your name, with this
        message:</p>
      ${quote(run.message)}
      <p class="quiet">If you approve, that run is also marked as containing text from outside.</p>`;
  }
  return html`<p>It asks:</p>${quote(question ?? "")}<p>Because:</p>${quote(reason ?? "")}`;
}

const scopes: Record<"organisation" | "bot" | "member", string> = {
  organisation: "for every bot of the organisation",
  bot: "for itself",
  member: "for its conversations with you",
};

const subjects: Record<"organisation" | "member" | "third_party", string> = {
  organisation: "About the organisation.",
  member: "About a member.",
  third_party: "About a third party.",
};

export function quote(words: string): Html {
  return html`<blockquote dir="auto">${visible(words)}</blockquote>`;
}

function list(pairs: [name: string, words: string][]): Html {
  return html`<dl>${joined(pairs.map(([name, words]) => html`<dt>${name}</dt><dd>${quote(words)}</dd>`))}</dl>`;
}
