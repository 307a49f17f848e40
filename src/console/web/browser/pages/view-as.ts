/**
 * What a person sees: the API's own answers, under the walls that hold that person, read-only. Each look is written down
 * with its reason, so nothing here asks by itself.
 */
import { useState } from "preact/hooks";
import { mutationOf } from "../actions/action.ts";
import { viewAs } from "../actions/things.ts";
import { type Failure, say } from "../graphql.ts";
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { answered } from "../parts/answered.ts";
import { Heading } from "../parts/heading.ts";
import { gone } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import type { PageProps } from "../place.ts";
import { mayAct } from "../session.ts";
import { plainly } from "../words.ts";

type Membership = { role: string; organisation: { id: string; name: string } };
type Data = { person: { id: string; email: string; memberships: { nodes: Membership[] } } | null };
type Look = { path: string; result?: unknown; failure?: Failure };

/** What is looked at most; anything else that the API lets be read can be typed. */
const often = ["/me", "/organisation", "/bots", "/memories", "/runs", "/members", "/invitations", "/keys", "/webhooks"];

export function ViewAsPage({ params }: PageProps) {
  const answer = useLive<Data>("person", { id: params.person });
  const [look, set] = useState<Look | "asking" | undefined>(undefined);
  const ask = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const path = String(form.get("path")).trim();
    const reason = String(form.get("reason")).trim();
    set("asking");
    const { organisation, person } = params;
    const reply = await say<{ viewAs: { result: unknown } }>(mutationOf(viewAs), {
      input: { organisation, person, path, reason },
    });
    set(reply.failure ? { path, failure: reply.failure } : { path, result: reply.data.viewAs.result });
  };
  return shown(answer, ({ person }) => {
    const membership = person?.memberships.nodes.find(({ organisation }) => organisation.id === params.organisation);
    if (!person || !membership) return gone("member", params.person);
    const { organisation, role } = membership;
    return html`<${Heading} kind="View as a person" title=${person.email}>
        <div class="under">
          <span>${role} of <a href=${`/organisations/${organisation.id}`}>${organisation.name}</a></span>
        </div>
      <//>
      <div class="notice">You see what they see, and change nothing. Each look is written down, with its reason.</div>
      <form class="panel look" onSubmit=${ask}>
        <label
          >What to look at
          <input name="path" list="often" defaultValue="/me" required pattern="/.*" spellcheck=${false} autocomplete="off" />
          <datalist id="often">${often.map((path) => html`<option value=${path}></option>`)}</datalist></label
        >
        <label>Reason <input name="reason" required maxlength="500" autocomplete="off" /></label>
        <button type="submit" class="main" disabled=${!mayAct() || look === "asking"}>Look</button>
        ${!mayAct() && html`<p class="quiet">Not permitted: your token may look, not act.</p>`}
      </form>
      ${
        look &&
        look !== "asking" &&
        section(
          "look",
          html`<code>GET ${look.path}</code>`,
          look.failure
            ? html`<div class="notice bad" role="alert">${plainly(look.failure)}</div>`
            : html`<div role="status">${answered(look.result)}</div>`,
        )
      }`;
  });
}
