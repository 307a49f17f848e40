/** Maps routes to pages and renders them in the common frame. */
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { Failure } from "../parts/failure.tsx";
import { PageBoundary } from "../parts/page-boundary.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Frame } from "./frame.tsx";
import { DeliveriesAndRunsPage } from "./pages/deliveries-and-runs.tsx";
import { DeliveryPage } from "./pages/delivery.tsx";
import { EmailPage } from "./pages/email.tsx";
import { EndpointPage } from "./pages/endpoint.tsx";
import { GraphQlPage } from "./pages/graphql.tsx";
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
  ["/graphiql", GraphQlPage],
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
  const session = useOperator();
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
      <Frame place={place} operator={session.operator}>
        <Shown key={place.path} place={place} session={session} />
      </Frame>
      <Dialogs />
      <Toasts />
    </>
  );
}

function Shown({ place, session }: { place: Place; session: ReturnType<typeof useOperator> }) {
  if (!session.operator) return <Failure {...session} />;
  return (
    <PageBoundary>
      <Router>
        {pages.map(([path, page]) => (
          <Route key={path} path={path} component={page} place={place} params={{}} />
        ))}
        <Route default component={NoSuchPage} />
      </Router>
    </PageBoundary>
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
