import { useEffect, useRef } from "preact/hooks";

/** Calls the function at an interval while the page is visible. @param ms null: never */
export function useInterval(work: () => void, ms: number | null): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => !document.hidden && latest.current(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
