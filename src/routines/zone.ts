/** Time zones, from Node's copy of the IANA database. */

/** By lower-case name: Intl accepts any case, which would make the number of entries unbounded. */
const formats = new Map<string, Intl.DateTimeFormat>();
const dayMs = 86_400_000;

/** Whether this is a name of the IANA database. Offsets are not, since they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][!-~]*$/i.test(name)) return false; // only ASCII, since other letters could become ASCII in lower case
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Offset of the zone from UTC at this instant, in ms. @throws RangeError for an unknown zone */
export function offsetAt(zone: string, instant: number): number {
  const shown = formatOf(zone).format(instant); // such as "3/29/2026, GMT+02:00"
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(shown) ?? [];
  const length = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -length : length;
}

/** The first clock change after `from` and up to `to`. */
export function changeWithin(zone: string, from: number, to: number): number | undefined {
  const offset = offsetAt(zone, from);
  for (let before = from; before < to; before += dayMs) {
    const after = Math.min(before + dayMs, to);
    if (offsetAt(zone, after) !== offset) return between(before, after);
  }
  return undefined;

  function between(before: number, after: number): number {
    if (after - before <= 1) return after;
    const middle = Math.floor((before + after) / 2);
    return offsetAt(zone, middle) === offset ? between(middle, after) : between(before, middle);
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  const made = formats.get(name) ?? new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  formats.set(name, made);
  return made;
}
