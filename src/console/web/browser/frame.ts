/** What stands around every page: where one can go, the search, how true what is shown is, and who is signed in. */
import { html, type Shown } from "./html.ts";
import { useLiveness } from "./live.ts";
import type { Place } from "./place.ts";
import { SchemeSwitch } from "./scheme.ts";
import { SearchField } from "./search-field.ts";
import { type Operator, signOut } from "./session.ts";
import { clock, relative, useNow } from "./times.ts";

const ways: [href: string, name: string][] = [
  ["/", "Now"],
  ["/organisations", "Organisations"],
  ["/work", "Work"],
  ["/mails", "Mails"],
  ["/acts", "Acts"],
];

export function Frame({ place, operator, children }: { place: Place; operator?: Operator; children?: Shown }) {
  const isHere = (href: string) => (href === "/" ? place.path === "/" : place.path.startsWith(href));
  return html`<a class="skip" href="#main">To the content</a>
    <header class="top">
      <a class="brand" href="/" aria-label="Botstead console"><b>Botstead</b> <span>console</span></a>
      <${SearchField} place=${place} />
      <${LivenessNote} />
    </header>
    <div class="side"><div>
      <nav aria-label="Pages of the console"
        ><ul>
          ${ways.map(
            ([href, name]) =>
              html`<li key=${href}><a href=${href} aria-current=${isHere(href) ? "page" : undefined}>${name}</a></li>`,
          )}
          <li><a href="/graphiql" data-elsewhere="">GraphQL</a></li>
        </ul></nav
      >
      ${operator && html`<${Who} operator=${operator} />`}
    </div></div>
    <main id="main">${children}</main>`;
}

function Who({ operator }: { operator: Operator }) {
  const may = operator.scope === "act" ? "may look and act" : "may look, not act";
  return html`<section class="who" aria-label="Who is signed in">
    <p><strong>${operator.name}</strong><br /><span class="quiet">${may}</span></p>
    <${SchemeSwitch} />
    <button type="button" class="plain" onClick=${signOut}>Sign out</button>
  </section>`;
}

function LivenessNote() {
  const { state, asOf } = useLiveness();
  const now = useNow(1_000);
  if (!asOf && state !== "cut off") return html`<p class="liveness"></p>`;
  const since = asOf && html`as of <time datetime=${asOf.toISOString()}>${clock(asOf)} UTC</time>`;
  if (state === "live") return html`<p class="liveness live"><i aria-hidden="true"></i>Live, ${since}</p>`;
  return html`<p class="liveness cut-off" role="alert"
    ><i aria-hidden="true"></i>Cut off${asOf ? html`: ${since}, ${relative(asOf, now)}` : ""}. Trying again.</p
  >`;
}
