/** The search field of every page. The key / focuses it. */
import { useEffect, useRef } from "preact/hooks";
import { html } from "./html.ts";
import { go, type Place } from "./place.ts";

export function SearchField({ place }: { place: Place }) {
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
    if (text) go(`/search?q=${encodeURIComponent(text)}`);
  };
  return html`<form class="search" role="search" onSubmit=${search}>
    <input
      ref=${field}
      type="search"
      name="q"
      aria-label="Search by id, email, key prefix or request id"
      aria-keyshortcuts="/"
      placeholder="Id, email, key prefix or request id"
      autocomplete="off"
      spellcheck=${false}
      defaultValue=${query}
      key=${query}
    />
    <kbd aria-hidden="true">/</kbd>
  </form>`;
}
