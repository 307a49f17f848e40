/** Which page an address shows, in the frame that all have. */
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Frame } from "./frame.ts";
import { html } from "./html.ts";
import { ActsPage } from "./pages/acts.ts";
import { DeliveryPage } from "./pages/delivery.ts";
import { EndpointPage } from "./pages/endpoint.ts";
import { HomePage } from "./pages/home.ts";
import { MailsPage } from "./pages/mails.ts";
import { OrganisationPage } from "./pages/organisation.ts";
import { OrganisationsPage } from "./pages/organisations.ts";
import { PersonPage } from "./pages/person.ts";
import { RequestPage } from "./pages/request.ts";
import { RunPage } from "./pages/run.ts";
import { SearchPage } from "./pages/search.ts";
import { ViewAsPage } from "./pages/view-as.ts";
import { WorkPage } from "./pages/work.ts";
import { Dialogs } from "./parts/action-dialog.ts";
import { type PageProps, type Place, usePlace } from "./place.ts";
import { useOperator } from "./session.ts";

const pages: [path: string, page: (props: PageProps) => unknown][] = [
  ["/", HomePage],
  ["/organisations", OrganisationsPage],
  ["/organisations/:id", OrganisationPage],
  ["/endpoints/:id", EndpointPage],
  ["/deliveries/:id", DeliveryPage],
  ["/runs/:id", RunPage],
  ["/requests/:id", RequestPage],
  ["/work", WorkPage],
  ["/mails", MailsPage],
  ["/acts", ActsPage],
  ["/people/:id", PersonPage],
  ["/view-as/:organisation/:person", ViewAsPage],
  ["/search", SearchPage],
];

export function App() {
  const place = usePlace();
  const operator = useOperator();
  const first = useRef(true);
  // Another page begins at its top, and a screen reader at its heading; a filter that changes moves nobody.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [place.path]);
  return html`<${Frame} place=${place} operator=${operator}>${operator && html`<${Guarded} key=${place.path} place=${place} />`}<//><${Dialogs} />`;
}

/** A fault of ours takes its page away, and not the console: the frame leads on. */
function Guarded({ place }: { place: Place }) {
  const [fault] = useErrorBoundary((error) => console.error(error));
  if (!fault) return shownAt(place);
  return html`<h1 tabindex="-1">This page failed</h1><p>The fault is ours. Reload it; the other pages go on.</p>`;
}

function shownAt(place: Place) {
  const path = place.path.replace(/(.)\/$/, "$1");
  for (const [pattern, page] of pages) {
    const params = matched(pattern, path);
    // The key: another thing's page is another page, and begins with nothing of the one before.
    if (params) return html`<${page} key=${path} place=${place} params=${params} />`;
  }
  return html`<h1 tabindex="-1">No such page</h1><p>The console has no page at <code>${path}</code>.</p>`;
}

function matched(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? "");
    if (part.startsWith(":")) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}
