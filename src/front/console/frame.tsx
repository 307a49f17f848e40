/** The frame of every page: navigation, search, age of the data, and the signed-in operator. */
import type { ComponentChildren as Shown } from "preact";
import { useLocation } from "preact-iso";
import { CommandPalette } from "../parts/command-palette.tsx";
import { SchemeSwitch } from "../parts/scheme.tsx";
import { relative } from "../parts/time.tsx";
import { type Cells, useCells } from "./cells.ts";
import { useLiveness } from "./live.ts";
import type { Place } from "./place.ts";
import { SearchField } from "./search-field.tsx";
import { type Operator, signOut } from "./session.ts";
import { clock, useNow } from "./times.tsx";

const tabs: [href: string, name: string][] = [
  ["/", "Overview"],
  ["/organisations", "Organisations"],
  ["/deliveries-and-runs", "Deliveries and runs"],
  ["/email", "Email"],
  ["/operator-log", "Operator log"],
  ["/graphiql", "GraphQL"],
];

export function Frame({
  place,
  operator,
  children,
}: {
  place: Place;
  operator: Operator | undefined;
  children?: Shown;
}) {
  const { route } = useLocation();
  const cells = useCells(operator !== undefined);
  const isHere = (href: string) => (href === "/" ? place.path === "/" : place.path.startsWith(href));
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label="Botstead console">
          <b>Botstead</b> <span>console{cells?.here ? `, cell ${cells.here}` : ""}</span>
        </a>
        <SearchField place={place} />
        <LivenessNote />
      </header>
      <div class="side">
        <div>
          <nav aria-label="Pages of the console">
            <ul>
              {tabs.map(([href, name]) => (
                <li key={href}>
                  <a href={href} aria-current={isHere(href) ? "page" : undefined}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          {cells && cells.others.length > 0 && <OtherCells cells={cells} />}
        </div>
      </div>
      <main id="main">{children}</main>
      {operator && <SignedIn operator={operator} />}
      {operator && <CommandPalette commands={tabs.map(([href, title]) => ({ title, run: () => route(href) }))} />}
    </>
  );
}

function OtherCells({ cells }: { cells: Cells }) {
  return (
    <nav aria-label="Consoles of other cells">
      <ul>
        {cells.others.map(({ name, consoleUrl }) => (
          <li key={name}>{consoleUrl ? <a href={consoleUrl}>Cell {name}</a> : <span>Cell {name}</span>}</li>
        ))}
      </ul>
    </nav>
  );
}

function SignedIn({ operator }: { operator: Operator }) {
  const permission = operator.scope === "act" ? "can view and act" : "can view only";
  return (
    <footer class="foot signed-in">
      <p>
        <strong>{operator.name}</strong>
        <br />
        <span class="quiet">{permission}</span>
      </p>
      <SchemeSwitch />
      <button type="button" class="plain" onClick={signOut}>
        Sign out
      </button>
    </footer>
  );
}

function LivenessNote() {
  const { state, asOf } = useLiveness();
  useNow(1_000);
  if (!asOf && state !== "offline") return <p class="liveness"></p>;
  const since = asOf && (
    <>
      as of <time dateTime={asOf.toISOString()}>{clock(asOf)}</time>
    </>
  );
  if (state === "live")
    return (
      <p class="liveness live">
        <i aria-hidden="true"></i>Live, {since}
      </p>
    );
  return (
    <p class="liveness offline" role="alert">
      <i aria-hidden="true"></i>Connection lost
      {asOf ? (
        <>
          : data {since}, {relative(asOf)}
        </>
      ) : (
        ""
      )}
      . Retrying.
    </p>
  );
}
