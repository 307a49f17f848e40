/** Keeps the focus on the page when the focused button goes away with its failure. */

let watching: AbortController | undefined;

/** Focuses the heading above the button as soon as the focus is lost, until the person presses a key or a pointer. */
export function keepFocus(button: HTMLElement): void {
  const near = button.closest("section")?.querySelector<HTMLElement>("h2");
  watching?.abort();
  watching = new AbortController();
  const { signal } = watching;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    const heading = near?.isConnected ? near : document.querySelector<HTMLElement>("main h1");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  // Not at once: this is called by such an event.
  setTimeout(() => {
    for (const name of ["keydown", "pointerdown"]) {
      addEventListener(name, () => watching?.signal === signal && watching.abort(), { signal, capture: true });
    }
  });
}
