/** Times in the reader's zone, with the relative time beside them. */
import { useState } from "preact/hooks";
import { Time } from "../parts/time.tsx";
import { useInterval } from "../parts/use-interval.ts";

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

export const clock = (at: Date): string => timeOfDay.format(at);

/** The current time, updated every few seconds while the tab is visible. */
export function useNow(everyMs: number): Date {
  const [now, set] = useState(() => new Date());
  useInterval(() => set(new Date()), everyMs);
  return now;
}

/** A time and its relative time; a text if there is none. */
export function When({ at, none = "–" }: { at: string | null | undefined; none?: string | undefined }) {
  return at ? <Time at={at} relativeToo /> : <span class="quiet">{none}</span>;
}
