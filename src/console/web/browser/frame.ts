/** The frame of every page: navigation, search, age of the data, and the signed-in operator. */
import { html, type Shown } from "./html.ts";
import { useLiveness } from "./live.ts";
import type { Place } from "./place.ts";
import { SchemeSwitch } from "./scheme.ts";
import { SearchField } from "./search-field.ts";
import { type Operator, signOut } from "./session.ts";
import { clock, relative, useNow } from "./times.ts";

const tabs: [href: string, name: string][] = [
  ["/", "Overview"],
  ["/organisations", "Organisations"],
  ["/deliveries-and-runs", "Deliveries & runs"],
  ["/email", "Email"],
  ["/operator-log", "Operator log"],
];

export function Frame({ place, operator, children }: { place: Place; operator?: Operator; children?: Shown }) {
  const isHere = (href: string) => (href === "/" ? place.path === "/" : place.path.startsWith(href));
  return html`<a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <a class="brand" href="/" aria-label="Botstead console"><b>Botstead</b> <span>console</span></a>
      <${SearchField} place=${place} />
      <${LivenessNote} />
    </header>
    <div class="side"><div>
      <nav aria-label="Pages of the console"
        ><ul>
          ${tabs.map(
            ([href, name]) =>
              html`<li key=${href}><a href=${href} aria-current=${isHere(href) ? "page" : undefined}>${name}</a></li>`,
          )}
          <li><a href="/graphiql" data-elsewhere="">GraphQL</a></li>
        </ul></nav
      >
      ${operator && html`<${SignedIn} operator=${operator} />`}
    </div></div>
    <main id="main">${children}</main>`;
}

function SignedIn({ operator }: { operator: Operator }) {
  const permission = operator.scope === "act" ? "can view and act" : "can view only";
  return html`<section class="signed-in" aria-label="Signed-in operator">
    <p><strong>${operator.name}</strong><br /><span class="quiet">${permission}</span></p>
    <${SchemeSwitch} />
    <button type="button" class="plain" onClick=${signOut}>Sign out</button>
  </section>`;
}

function LivenessNote() {
  const { state, asOf } = useLiveness();
  const now = useNow(1_000);
  if (!asOf && state !== "offline") return html`<p class="liveness"></p>`;
  const since = asOf && html`as of <time datetime=${asOf.toISOString()}>${clock(asOf)} UTC</time>`;
  if (state === "live") return html`<p class="liveness live"><i aria-hidden="true"></i>Live, ${since}</p>`;
  return html`<p class="liveness offline" role="alert"
    ><i aria-hidden="true"></i>Connection lost${asOf ? html`: data ${since}, ${relative(asOf, now)}` : ""}. Retrying.</p
  >`;
}
