/** The frame of every page: navigation by section, the signed-in person, and the way back. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { Badge } from "../parts/badge.tsx";
import { CommandPalette, PaletteButton } from "../parts/command-palette.tsx";
import { EmptyState, nameSite, Page } from "../parts/page.tsx";
import { PageBoundary } from "../parts/page-boundary.tsx";
import { SchemeSwitch } from "../parts/scheme.tsx";
import { Time } from "../parts/time.tsx";
import { toastError } from "../parts/toast.tsx";
import { type Count, type Counts, useCounts } from "./counts.ts";
import { OneTimeSecrets } from "./one-time.tsx";
import { type Section, sections } from "./sections.ts";
import { leaveSession, type Session } from "./session.ts";
import { SessionContext } from "./session-context.ts";
import { EndWarning } from "./session-end.tsx";
import { frameTexts as texts } from "./texts/frame.ts";
import { useThingById, useThings } from "./things.ts";

type FrameProps = { session: Session; left: () => void; children?: ComponentChildren };

/** @param props.children above the page */
export function Frame({ session, left, children }: FrameProps) {
  nameSite(session.organisation.name);
  const own = sections.filter(({ name }) => name in session.operations);
  return (
    <SessionContext.Provider value={session}>
      <LocationProvider scope="/portal/">
        <a class="skip" href="#main">
          {texts.skip}
        </a>
        <header class="top">
          <b class="brand">
            <i aria-hidden="true">{[...session.organisation.name][0]?.toUpperCase()}</i>
            {session.organisation.name}
          </b>
          <PaletteButton>{texts.palette.button}</PaletteButton>
          <SignedIn session={session} left={left} />
        </header>
        <div class="side">
          <div>
            <Navigation sections={own} />
          </div>
        </div>
        <main id="main">
          {session.byOperator && (
            <p class="notice warn" role="note">
              {texts.viewAs.text} <Time at={session.expiresAt} />.
            </p>
          )}
          <EndWarning expiresAt={session.expiresAt} />
          {children}
          <PageBoundary>
            <Router>
              {own.flatMap(({ pages }) =>
                pages.map(({ path, Page }) => <Route key={path} path={path} component={Page} />),
              )}
              <Route default component={NotFound} />
            </Router>
          </PageBoundary>
        </main>
        <footer class="foot">
          <SchemeSwitch />
        </footer>
        <Commands sections={own} />
        <OneTimeSecrets />
      </LocationProvider>
    </SessionContext.Provider>
  );
}

const firstPath = ({ pages }: Section) => pages[0]?.path ?? "/portal/";

function Navigation({ sections }: { sections: Section[] }) {
  const { path } = useLocation();
  const counts = useCounts(path);
  const here = path.split("/")[2] ?? ""; // the router removes the slash at the end
  const isHere = ({ pages }: Section) => pages.some((page) => page.path.split("/")[2] === here);
  const nav = useRef<HTMLElement>(null);
  // On a phone the sections are one line, which scrolls.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (!nav.current || !link) return;
    const [line, at] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += at.left - line.left - (line.width - at.width) / 2;
  }, [here]);
  return (
    <nav ref={nav} aria-label={texts.sections}>
      {Object.entries(texts.groups).map(([name, title]) => (
        <NavigationGroup
          key={name}
          title={title}
          isHere={isHere}
          counts={counts}
          sections={sections.filter(({ group }) => group === name)}
        />
      ))}
    </nav>
  );
}

type GroupProps = { title: string; sections: Section[]; isHere: (section: Section) => boolean; counts: Counts };

function NavigationGroup({ title, sections, isHere, counts }: GroupProps) {
  const id = useId();
  if (sections.length === 0) return null;
  return (
    <>
      {title && (
        <p class="group" id={id}>
          {title}
        </p>
      )}
      <ul {...(title ? { "aria-labelledby": id } : {})}>
        {sections.map((section) => (
          <li key={section.name}>
            <SectionLink section={section} isHere={isHere(section)} count={counts[section.name]} />
          </li>
        ))}
      </ul>
    </>
  );
}

type LinkProps = { section: Section; isHere: boolean; count: Count | undefined };

function SectionLink({ section, isHere, count }: LinkProps) {
  return (
    <a
      href={firstPath(section)}
      aria-current={isHere ? "page" : undefined}
      data-count={count?.shown}
      title={count && `${count.shown} ${count.of}`}
    >
      {texts.titles[section.name]}
    </a>
  );
}

function Commands({ sections }: { sections: Section[] }) {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const pages = sections.map((each) => ({ title: texts.titles[each.name], run: () => route(firstPath(each)) }));
  const [text, setText] = useState("");
  const listed = useThings(isOpen);
  const byId = useThingById(text);
  const ids = new Set(listed.things.map(({ id }) => id));
  const things = [...listed.things, ...byId.things.filter(({ id }) => !ids.has(id))];
  const commands = [...pages, ...things.map(({ href, ...thing }) => ({ ...thing, run: () => route(href) }))];
  const { button, placeholder, none, failed, loading } = texts.palette;
  const isLoading = listed.loading || byId.loading;
  const isIncomplete = listed.failed || byId.failed;
  return (
    <CommandPalette
      commands={commands}
      label={button}
      placeholder={placeholder}
      none={isLoading ? loading : isIncomplete ? failed : none}
      onToggle={setOpen}
      onText={setText}
    />
  );
}

function SignedIn({ session, left }: { session: Session; left: () => void }) {
  const logOut = () => leaveSession().then(left, toastError);
  return (
    <p class="person">
      {session.readOnly && <Badge kind="warn">{texts.readOnly}</Badge>}
      <span class="name">
        {session.byOperator && texts.viewAs.viewer} {session.person.name} <span class="quiet">{session.role}</span>
      </span>
      {session.returnUrl && (
        <a href={session.returnUrl} target="_top">
          {texts.ended.back}
        </a>
      )}
      <button type="button" onClick={logOut}>
        {texts.logOut}
      </button>
    </p>
  );
}

function NotFound() {
  return (
    <Page title={texts.notFound.title}>
      <EmptyState title={texts.notFound.text} />
    </Page>
  );
}
