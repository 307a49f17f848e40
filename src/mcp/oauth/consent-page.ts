/**
 * The pages on which a person gives a client a key, or not. They work without JavaScript. Text of the client is framed, because
 * it may imitate the service. (docs/specification/oauth.md#consent)
 */

import { visible } from "../../api/pages/visible.ts";
import type { Scope } from "../../contract/operation.ts";
import { type Html, html, joined, page } from "../../web/layout.ts";
import { type Client, keyNameOf, maxName } from "./client.ts";
import { isLoopback } from "./redirect-uri.ts";
import type { AuthorizationRequest } from "./request.ts";

/** What the page needs of a portal session. */
export type Consenting = {
  organisation: { id: string; name: string };
  person: { name: string; email: string };
  operations: { keys?: string[] };
  limits: { liveKeys: { limit: number | null; used: number } };
};

export const lives = [7, 30, 90, 365] as const;
const defaultLife = 30;

/** What a key of the scope reaches. A wider scope includes the narrower ones. (docs/specification/keys.md) */
const scopes: Record<Scope, [name: string, permits: string]> = {
  read: [
    "Read",
    "It sees bots, memories, conversations with bots, routines, and the names and email addresses of members. It changes nothing.",
  ],
  write: [
    "Read and write",
    "It also sends messages to bots, which can cost money, and creates, changes and deletes bots, memories and routines.",
  ],
  admin: [
    "Everything",
    "It also invites and removes members, creates and revokes keys, sends events to other servers, and reads the audit log.",
  ],
};

export function consentPage(
  client: Client,
  { redirectUri, scopes: offered }: AuthorizationRequest,
  { organisation, person, limits }: Consenting,
  { csrf, complaint = "" }: { csrf: string; complaint?: string },
): string {
  const { limit, used } = limits.liveKeys;
  return page(
    `Give ${client.host} access?`,
    html`<p>A program of <strong>${client.host}</strong>${named(client)} asks for access to <strong>${organisation.name}</strong>.
        It would act as you, ${person.name} (${person.email}).</p>
      ${destination(redirectUri)}
      ${complaint ? html`<p role="alert">${complaint}</p>` : html``}
      <form method="post">
        <input type="hidden" name="csrf" value="${csrf}">
        <input type="hidden" name="name" value="${keyNameOf(client)}">
        <fieldset><legend>It may</legend>${joined(offered.map(choice))}</fieldset>
        <label for="days">Its access ends after</label>
        <select id="days" name="days">${joined(lives.map((days) => life(days)))}</select>
        <button name="answer" value="allow">Allow</button>
        <button name="answer" value="refuse" class="refuse" formnovalidate>Refuse</button>
      </form>
      <p class="quiet">Allow creates the key <code>${visible(keyNameOf(client))}</code>. It is in the list of keys${
        limit === null ? html`` : html` (${String(used)} of at most ${String(limit)} now)`
      }, where owners and admins can revoke it at any time.</p>`,
    organisation.name,
  );
}

/** The client chooses this name, so it is framed, short, and never without the host. */
function named({ name }: Client): Html {
  if (!name) return html``;
  const letters = [...name];
  const short = letters.length > maxName ? `${letters.slice(0, maxName).join("")}…` : name;
  return html`, which calls itself <q>${visible(short)}</q>,`;
}

/** None is chosen at first. Otherwise a site that brings this page under a double click would get a key. */
function choice(scope: Scope): Html {
  const [name, permits] = scopes[scope];
  return html`<label class="choice"><input type="radio" name="scope" value="${scope}" required>
    <span><strong>${name}</strong> <span class="quiet">${permits}</span></span></label>`;
}

function life(days: number): Html {
  const selected = days === defaultLife ? html` selected` : html``;
  return html`<option value="${String(days)}"${selected}>${days === 365 ? "One year" : `${String(days)} days`}</option>`;
}

/** Any program of a computer can listen at its own address, so the host of the client proves less there. */
function destination(redirectUri: string): Html {
  const { host } = new URL(redirectUri);
  return isLoopback(redirectUri)
    ? html`<p>The key goes to a program <strong>on this computer</strong> (${host}). Allow it only if you have just started to
        connect that program yourself.</p>`
    : html`<p>The key goes to <strong>${host}</strong>. Allow it only if you have just started to connect it yourself.</p>`;
}

export const consentPath = "/portal/consent";

/** @param query of the consent page, as the client sent it */
export function onwardPage(query: string): string {
  return page("One moment", html`<p><a href="${consentPath}?${query}">Continue</a></p>`);
}

/** @param query as for onwardPage */
export function signInPage(query: string, applicationUrl: string | undefined): string {
  const portal = applicationUrl
    ? html`<a href="${applicationUrl}" target="_blank" rel="noopener">your application</a>`
    : html`your application`;
  return page(
    "Open the portal first",
    html`<p>A program asks for access to your organisation. Owners and admins can give it access in an open portal.</p>
      <p>Open the portal from ${portal}, in this browser and not inside another page. Then come back here.</p>
      <p><a href="${consentPath}?${query}">Try again</a></p>`,
  );
}

/** @param back the address of the client, with the error; the person decides whether to go there */
export function problemPage(title: string, text: string, back?: { uri: string; host: string }): string {
  return page(
    title,
    html`<p>${text}</p>
      <p class="quiet">No key was created.</p>
      ${back ? html`<p><a href="${back.uri}" rel="noreferrer">Go back to ${back.host}</a></p>` : html``}`,
  );
}
