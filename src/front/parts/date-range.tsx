/** A range of times, from and to, entered in the reader's zone. Values are ISO times in UTC, or "" for open. */
import { partTexts } from "./texts.ts";

export type Range = { from: string; to: string };

export function DateRange({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  return (
    <fieldset class="date-range">
      <legend class="unseen">{partTexts.time.label}</legend>
      <label>
        {partTexts.time.from}{" "}
        <input
          type="datetime-local"
          value={localOfUtc(from)}
          onChange={(event) => onChange({ from: utc(event), to })}
        />
      </label>
      <label>
        {partTexts.time.to}{" "}
        <input type="datetime-local" value={localOfUtc(to)} onChange={(event) => onChange({ from, to: utc(event) })} />
      </label>
    </fieldset>
  );
}

const utc = (event: Event): string => utcOfLocal((event.currentTarget as HTMLInputElement).value);

/** @param value of an input of type datetime-local */
export function utcOfLocal(value: string): string {
  return value === "" ? "" : new Date(value).toISOString();
}

/** The value of an input of type datetime-local. */
export function localOfUtc(iso: string): string {
  if (iso === "") return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
