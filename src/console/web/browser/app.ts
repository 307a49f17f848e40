/** Maps routes to pages and renders them in the common frame. */
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Frame } from "./frame.ts";
import { html } from "./html.ts";
import { DeliveriesAndRunsPage } from "./pages/deliveries-and-runs.ts";
import { DeliveryPage } from "./pages/delivery.ts";
import { EmailPage } from "./pages/email.ts";
import { EndpointPage } from "./pages/endpoint.ts";
import { OperatorLogPage } from "./pages/operator-log.ts";
import { OrganisationPage } from "./pages/organisation.ts";
import { OrganisationsPage } from "./pages/organisations.ts";
import { OverviewPage } from "./pages/overview.ts";
import { PersonPage } from "./pages/person.ts";
import { RequestPage } from "./pages/request.ts";
import { RunPage } from "./pages/run.ts";
import { SearchPage } from "./pages/search.ts";
import { ViewAsPage } from "./pages/view-as.ts";
import { Dialogs } from "./parts/action-dialog.ts";
import { type PageProps, type Place, usePlace } from "./place.ts";
import { useOperator } from "./session.ts";

const pages: [path: string, page: (props: PageProps) => unknown][] = [
  ["/", OverviewPage],
  ["/organisations", OrganisationsPage],
  ["/organisations/:id", OrganisationPage],
  ["/endpoints/:id", EndpointPage],
  ["/deliveries/:id", DeliveryPage],
  ["/runs/:id", RunPage],
  ["/requests/:id", RequestPage],
  ["/deliveries-and-runs", DeliveriesAndRunsPage],
  ["/email", EmailPage],
  ["/operator-log", OperatorLogPage],
  ["/people/:id", PersonPage],
  ["/view-as/:organisation/:person", ViewAsPage],
  ["/search", SearchPage],
];

export function App() {
  const place = usePlace();
  const operator = useOperator();
  const first = useRef(true);
  // A new page starts at the top, with the focus on its heading. A changed filter keeps position and focus.
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

/** An exception replaces only the page; the navigation keeps working. */
function Guarded({ place }: { place: Place }) {
  const [fault] = useErrorBoundary((error) => console.error(error));
  if (!fault) return pageAt(place);
  return html`<h1 tabindex="-1">This page failed</h1><p>This is a bug in the console. Reload the page; other pages still work.</p>`;
}

function pageAt(place: Place) {
  const path = place.path.replace(/(.)\/$/, "$1");
  for (const [pattern, page] of pages) {
    const params = matched(pattern, path);
    // The key resets component state when the path changes.
    if (params) return html`<${page} key=${path} place=${place} params=${params} />`;
  }
  return html`<h1 tabindex="-1">No such page</h1><p>The console has no page at <code>${path}</code>.</p>`;
}

function matched(pattern: string, path: string): Record<string, string> | undefined {
  const [expected, actual] = [pattern.split("/"), path.split("/")];
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = decodeURIComponent(actual[index] ?? "");
    if (part.startsWith(":")) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}
