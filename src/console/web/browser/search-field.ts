/** The search, from everywhere: / goes to it, Enter asks. */
import { useEffect, useRef } from "preact/hooks";
import { html } from "./html.ts";
import { go, type Place } from "./place.ts";

export function SearchField({ place }: { place: Place }) {
  const field = useRef<HTMLInputElement>(null);
  const asked = place.path === "/search" ? (place.query.get("q") ?? "") : "";
  useEffect(() => {
    const typed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const writes = target.closest("input, textarea, select, dialog, [contenteditable]");
      if (event.key !== "/" || writes || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      field.current?.select();
      field.current?.focus();
    };
    addEventListener("keydown", typed);
    return () => removeEventListener("keydown", typed);
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
      aria-label="Search by id, e-mail, key prefix or request id"
      aria-keyshortcuts="/"
      placeholder="An id, e-mail, key prefix or request id"
      autocomplete="off"
      spellcheck=${false}
      defaultValue=${asked}
      key=${asked}
    />
    <kbd aria-hidden="true">/</kbd>
  </form>`;
}
