/** The search field of every page. The key / focuses it. */
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Place } from "./place.ts";

export function SearchField({ place }: { place: Place }) {
  const { route } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const query = place.path === "/search" ? (place.query.get("q") ?? "") : "";
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isEditing = target.closest("input, textarea, select, dialog, [contenteditable]");
      if (event.key !== "/" || isEditing || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      field.current?.select();
      field.current?.focus();
    };
    addEventListener("keydown", focusOnSlash);
    return () => removeEventListener("keydown", focusOnSlash);
  }, []);
  const search = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value.trim();
    if (text) route(`/search?q=${encodeURIComponent(text)}`);
  };
  return (
    <search class="search">
      <form onSubmit={search}>
        <input
          ref={field}
          type="search"
          name="q"
          aria-label="Search by id, email address, key prefix, host or name"
          aria-keyshortcuts="/"
          placeholder="Id, email address, key prefix, host or name"
          autoComplete="off"
          spellcheck={false}
          defaultValue={query}
          key={query}
        />
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd has no focus */}
        <kbd aria-hidden="true">/</kbd>
      </form>
    </search>
  );
}
