/** Numbers beside sections of the navigation. Pages report them from rows that they have loaded, so no request is added. */
import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { Schemas } from "./schemas.ts";

/** A count and what it counts, for example "2" and "failing". */
export type Count = { shown: string; of: string };
export type Counts = Partial<Record<Schemas["PortalSection"], Count>>;

export const CountsContext = createContext<(section: keyof Counts, count: Count | undefined) => void>(() => {});

/**
 * Reports the number of rows. Zero removes the number.
 *
 * @param list the rows to count, of a list that is loaded
 */
export function useCount(
  section: keyof Counts,
  { rows, loading, more }: { rows: unknown[]; loading: boolean; more: unknown },
  of: string,
): void {
  const report = useContext(CountsContext);
  const shown = `${rows.length.toLocaleString()}${more ? "+" : ""}`;
  useEffect(() => {
    if (!loading) report(section, rows.length > 0 ? { shown, of } : undefined);
  }, [loading, shown]);
}
