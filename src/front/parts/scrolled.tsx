/** Scrolls a wide table. It is focusable then, so that the keyboard can scroll it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function Scrolled({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [wide, set] = useState(false);
  useEffect(() => {
    const look = () => set((box.current?.scrollWidth ?? 0) > (box.current?.clientWidth ?? 0));
    const watch = new ResizeObserver(look);
    look();
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const focusable = wide ? ({ tabIndex: 0, role: "group", "aria-label": label } as const) : {};
  return (
    <div class="table" ref={box} {...focusable}>
      {children}
    </div>
  );
}
