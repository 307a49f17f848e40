/**
 * Keeps the widths of a long table's columns. Otherwise each newly rendered row could change the widths, the heights of
 * all rows, and by these the rows that are rendered.
 */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * @param columns names the shown columns
 * @param changed called after the widths have been set, at first and for another width of the table
 */
export function useFixedColumns(
  table: RefObject<HTMLTableElement | null>,
  isFixed: boolean,
  columns: string,
  changed: () => void,
): void {
  useLayoutEffect(() => {
    const element = table.current;
    const box = element?.parentElement;
    if (!isFixed || !element || !box) return;
    let width: number | undefined;
    const fix = () => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      release(element);
      const widths = headsOf(element).map((head) => head.getBoundingClientRect().width);
      headsOf(element).forEach((head, index) => {
        head.style.width = `${widths[index]}px`;
      });
      element.classList.add("fixed");
      changed();
    };
    fix();
    const watch = new ResizeObserver(fix);
    watch.observe(box);
    return () => {
      watch.disconnect();
      release(element);
    };
  }, [isFixed, columns]);
}

const headsOf = (table: HTMLTableElement) => [...table.querySelectorAll<HTMLElement>("thead th")];

function release(table: HTMLTableElement): void {
  table.classList.remove("fixed");
  for (const head of headsOf(table)) head.style.width = "";
}
