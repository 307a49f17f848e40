/**
 * The page of an invitation's mailed link, with a button to accept. It works without JavaScript. A GET changes nothing, so a
 * mail scanner that follows the link accepts nothing. (docs/specification/invitations.md#accepting)
 */
import { type Response, Router } from "express";
import { acceptInvitation, type InvitationShown, readInvitation } from "../../contract/invitation-page.ts";
import { type Html, html, page, sendPage, time } from "../../web/layout.ts";
import type { Ask } from "./ask.ts";
import { readForm } from "./form.ts";
import { only } from "./methods.ts";

export function invitationPages(ask: Ask, onward: Html): Router {
  const router = Router({ strict: true, caseSensitive: true });

  router.get("/invitation/:token", async (request, response) => {
    const answer = await ask(readInvitation, request);
    show(answer, response, onward);
  });

  router.post("/invitation/:token", readForm("bsi"), async (request, response) => {
    const given: unknown = (request.body as Record<string, unknown> | undefined)?.displayName;
    const displayName = typeof given === "string" ? given.trim() : "";
    const accepted = await ask(acceptInvitation, request, { displayName });
    // Refused because of its state or the name: the page shows the current state.
    const settled = accepted.status === 409 || accepted.status === 400;
    const answer = settled ? await ask(readInvitation, request) : accepted;
    show(answer, response, onward, accepted.status === 400 ? nameRule : "");
  });

  router.all("/invitation/:token", only("get", "post"));
  return router;
}

const nameRule = "Enter your name: 1 to 120 characters on one line, without an address such as www.";

function show(answer: { status: number; body: string }, response: Response, onward: Html, complaint = ""): void {
  if (answer.status !== 200) {
    sendPage(response, answer.status === 401 ? 404 : answer.status, errorPage(answer.status));
    return;
  }
  const invitation = JSON.parse(answer.body) as InvitationShown;
  const isComplaint = complaint !== "" && invitation.state === "open"; // the name no longer matters once the invitation is settled
  sendPage(
    response,
    isComplaint ? 400 : statuses[invitation.state],
    views[invitation.state](invitation, onward, complaint),
  );
}

const statuses = { open: 200, accepted: 200, revoked: 410, expired: 410 } satisfies Record<
  InvitationShown["state"],
  number
>;

const views: Record<
  InvitationShown["state"],
  (invitation: InvitationShown, onward: Html, complaint: string) => string
> = {
  open: ({ organisation, invitedBy, role, email, expiresAt }, _onward, complaint) =>
    page(
      `Join ${organisation}`,
      html`<p>${invitedBy ?? "A member"} invites you to join <strong>${organisation}</strong> as
        ${role === "admin" ? "an admin" : "a member"}, with the address <strong>${email}</strong>.</p>
        <form method="post">
          <label for="displayName">Your name, as the others will see it</label>
          <input id="displayName" name="displayName" maxlength="120" autocomplete="name" required>
          ${complaint ? html`<p role="alert">${complaint}</p>` : html``}
          <button>Accept the invitation</button>
        </form>
        <p class="quiet">Valid until ${time(expiresAt)}. If you did not expect it, close this page.</p>`,
      organisation,
    ),
  accepted: ({ organisation }, onward) =>
    page(
      "Accepted",
      html`<p>This invitation is accepted: the address it was sent to belongs to <strong>${organisation}</strong>.</p>
        <p class="quiet">A link works once.</p>
        ${onward}`,
      organisation,
    ),
  revoked: ({ organisation }) =>
    page(
      "No longer open",
      html`<p>The invitation to <strong>${organisation}</strong> was revoked.</p>
      <p class="quiet">The person who invited you can send a new one.</p>`,
      organisation,
    ),
  expired: ({ organisation, expiresAt }) =>
    page(
      "Too late",
      html`<p>The invitation to <strong>${organisation}</strong> ended on ${time(expiresAt)}.</p>
      <p class="quiet">The person who invited you can send it again.</p>`,
      organisation,
    ),
};

function errorPage(status: number): string {
  if (status === 401) {
    return page(
      "No such invitation",
      html`<p>This link leads to no invitation. It may have been cut off in the mail, or a newer one was sent.</p>`,
    );
  }
  if (status === 429) return page("One moment", html`<p>There were many tries from here. Try again in a minute.</p>`);
  return page(
    "Not right now",
    html`<p>The service can't answer at the moment. Nothing was changed: try again soon.</p>`,
  );
}
