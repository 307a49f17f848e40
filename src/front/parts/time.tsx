/** Times in the reader's zone and locale; the title has UTC. */

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const minute = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
const thisYear = new Intl.DateTimeFormat(undefined, minute);
const anyYear = new Intl.DateTimeFormat(undefined, { ...minute, year: "numeric" });
const short = (at: Date) => (at.getFullYear() === new Date().getFullYear() ? thisYear : anyYear).format(at);
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

const units: [ms: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

/** For example "3 min. ago" or "in 2 days". */
export function relative(at: Date, now = new Date()): string {
  const ms = at.getTime() - now.getTime();
  const [size, unit] = units.find(([each]) => Math.abs(ms) >= each) ?? [1_000, "second"];
  return ago.format(Math.trunc(ms / size), unit);
}

export const localTime = (at: string): string => full.format(new Date(at));
/** As lists show it, without seconds. */
export const shortTime = (at: string): string => short(new Date(at));
export const localDay = (at: string): string => day.format(new Date(at));

/** @param relativeToo also show the distance to now */
export function Time({ at, relativeToo = false }: { at: string | null | undefined; relativeToo?: boolean }) {
  if (!at) return <span class="quiet">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${date.toISOString().replace("T", " ").replace("Z", "")} UTC`}>
      <span class="at">{short(date)}</span>
      {relativeToo && (
        <>
          {" "}
          <span class="ago">{relative(date)}</span>
        </>
      )}
    </time>
  );
}
