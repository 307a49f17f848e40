/** Further actions of a page behind one button. Tab and the arrow keys lead through them, Escape closes them. */
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { partTexts } from "./texts.ts";

/** Not drawn without a button in it. */
export function MoreMenu({ children }: { children: ComponentChildren }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    if (!step || items.length === 0) return;
    event.preventDefault();
    menu.current?.showPopover();
    const from = items.indexOf(document.activeElement as HTMLElement);
    items[from < 0 && step < 0 ? items.length - 1 : (from + step + items.length) % items.length]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons in it
    <span class="more" onKeyDown={move}>
      <button type="button" popoverTarget={id}>
        {partTexts.more}
      </button>
      {/* Closed first, so that the dialog of an action gives the focus back to the button "More". */}
      {/* biome-ignore lint/a11y: a click of a button in it */}
      <div
        id={id}
        ref={menu}
        popover="auto"
        class="menu"
        role="group"
        aria-label={partTexts.more}
        onClickCapture={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </span>
  );
}
