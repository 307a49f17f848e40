/** Durations in the reader's locale. */

/** For example "4.2 s" or "3 min 5 s"; a dash before the end. */
export function duration(from: string, to: string | null): string {
  if (!to) return "–";
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  if (seconds < 60) return `${seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
