/**
 * The current address. It holds page, filters, time span and cursor, so that a shared link shows the same page.
 * Links to other pages of the console change the address without reloading the document.
 */
import { useEffect, useState } from "preact/hooks";

export type Place = { path: string; query: URLSearchParams };

/** Props of every page; params are the parts of the path that its pattern names. */
export type PageProps = { place: Place; params: Record<string, string> };

const moved = new EventTarget();

function placeNow(): Place {
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

/** The current address with a changed query; undefined removes a parameter. Lists restart at their first page. */
export function hereWith(changes: Record<string, string | undefined>): string {
  const { path, query } = placeNow();
  query.delete("after");
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Handles clicks on internal links. Clicks with a modifier or another button are left to the browser. */
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
