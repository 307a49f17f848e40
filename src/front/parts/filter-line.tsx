/** The filters of a list: one line, which opens. */
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { LoadedList } from "./list.ts";
import { partTexts } from "./texts.ts";

type Props = {
  /** Set filters. A list with any opens with its fields shown. */
  count: number;
  onClear: () => void;
  /** Shown also while the line is closed, for example a search. */
  first?: ComponentChildren;
  /** Below the fields. */
  after?: ComponentChildren;
  /** Within a panel. */
  inside?: boolean;
  /** Names the filters if the page has several lists. */
  label?: string;
  children: ComponentChildren;
};

export function FilterLine({ count, onClear, first, after, inside = false, label, children }: Props) {
  const [isOpen, setOpen] = useState(count > 0);
  const id = useId();
  return (
    <search class={inside ? "inside" : undefined} {...(label ? { "aria-label": label } : {})}>
      <div class="filter-line">
        {first}
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {partTexts.filters.button(count)}
        </button>
        {count > 0 && (
          <button type="button" class="plain" onClick={onClear}>
            {partTexts.filters.clear}
          </button>
        )}
      </div>
      <div id={id} class="filters" hidden={!isOpen}>
        {children}
      </div>
      {after}
    </search>
  );
}

type Rows = Pick<LoadedList<unknown>, "rows" | "loading" | "error">;

/** A list without any row, also without its filters. */
export const isEmptyList = ({ rows, loading, error }: Rows, isFiltered: boolean): boolean =>
  rows.length === 0 && !loading && !error && !isFiltered;

/** Whether filters have something to filter. They stay while the list loads again. */
export function useFilterable({ rows, loading }: Omit<Rows, "error">, isFiltered: boolean): boolean {
  const was = useRef(false);
  was.current = isFiltered || rows.length > 0 || (loading && was.current);
  return was.current;
}
