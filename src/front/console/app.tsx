/** Maps routes to pages and renders them in the common frame. */
import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { Toasts } from "../parts/toast.tsx";
import { Frame } from "./frame.tsx";
import { DeliveriesAndRunsPage } from "./pages/deliveries-and-runs.tsx";
import { DeliveryPage } from "./pages/delivery.tsx";
import { EmailPage } from "./pages/email.tsx";
import { EndpointPage } from "./pages/endpoint.tsx";
import { OperatorLogPage } from "./pages/operator-log.tsx";
import { OrganisationPage } from "./pages/organisation.tsx";
import { OrganisationsPage } from "./pages/organisations.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { PersonPage } from "./pages/person.tsx";
import { RequestPage } from "./pages/request.tsx";
import { RunPage } from "./pages/run.tsx";
import { SearchPage } from "./pages/search.tsx";
import { Dialogs } from "./parts/action-dialog.tsx";
import type { PageProps, Place } from "./place.ts";
import { useOperator } from "./session.ts";

const pages: [path: string, page: ComponentType<PageProps>][] = [
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
  ["/search", SearchPage],
];

export function App() {
  return (
    <LocationProvider>
      <Console />
    </LocationProvider>
  );
}

function Console() {
  const { path, url } = useLocation();
  const place = { path, query: new URL(url, location.origin).searchParams };
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
  return (
    <>
      <Frame place={place} operator={operator}>
        {operator && <Guarded key={place.path} place={place} />}
      </Frame>
      <Dialogs />
      <Toasts />
    </>
  );
}

/** An exception replaces only the page; the navigation keeps working. */
function Guarded({ place }: { place: Place }) {
  const [fault] = useErrorBoundary((error) => console.error(error));
  if (!fault) {
    return (
      <Router>
        {pages.map(([path, page]) => (
          <Route key={path} path={path} component={page} place={place} params={{}} />
        ))}
        <Route default component={NoSuchPage} />
      </Router>
    );
  }
  return (
    <>
      <h1 tabIndex={-1}>This page failed</h1>
      <p>This is a bug in the console. Reload the page; other pages still work.</p>
    </>
  );
}

function NoSuchPage({ path }: { path?: string }) {
  return (
    <>
      <h1 tabIndex={-1}>No such page</h1>
      <p>
        The console has no page at <code>{path}</code>.
      </p>
    </>
  );
}
