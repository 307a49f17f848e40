/**
 * Where the operator is: the address holds all of it (page, filters, span of time, cursor), so that a link shared is
 * the page seen. Links are plain links; those that lead to another page of ours don't load the document again.
 */
import { useEffect, useState } from "preact/hooks";

export type Place = { path: string; query: URLSearchParams };

/** What every page is given: where it is, and what its path names. */
export type PageProps = { place: Place; params: Record<string, string> };

const moved = new EventTarget();

export function placeNow(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export function usePlace(): Place {
  const [place, set] = useState(placeNow);
  useEffect(() => {
    const look = () => set(placeNow());
    moved.addEventListener("moved", look);
    addEventListener("popstate", look);
    return () => {
      moved.removeEventListener("moved", look);
      removeEventListener("popstate", look);
    };
  }, []);
  return place;
}

export function go(href: string, { instead = false } = {}): void {
  history[instead ? "replaceState" : "pushState"](null, "", href);
  moved.dispatchEvent(new Event("moved"));
}

/** The address of here with some of its query changed; undefined takes a part out. Whatever changes, pages begin anew. */
export function hereWith(changes: Record<string, string | undefined>): string {
  const { path, query } = placeNow();
  query.delete("after");
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Follows clicks on links of ours; with a modifier, a target or another button they are the browser's. */
export function followLinks(): void {
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.origin !== location.origin || link.dataset.elsewhere !== undefined) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
