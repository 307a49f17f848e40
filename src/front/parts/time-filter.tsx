/** A filter by time: a range that ends now, or from and to. */
import { useState } from "preact/hooks";
import { DateRange, type Range } from "./date-range.tsx";
import { SelectFilter } from "./filters.tsx";
import { partTexts } from "./texts.ts";

/** Ranges that end now. */
export const ranges: Record<string, { title: string; hours: number }> = {
  "1h": { title: partTexts.ranges["1h"], hours: 1 },
  "24h": { title: partTexts.ranges["24h"], hours: 24 },
  "7d": { title: partTexts.ranges["7d"], hours: 168 },
  "30d": { title: partTexts.ranges["30d"], hours: 720 },
};

export const custom = "custom";

export const timeOptions = [
  ...Object.entries(ranges).map(([value, { title }]) => ({ value, title })),
  { value: custom, title: partTexts.time.custom },
];

export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** A range that ends now is fixed at the time of the choice, so that its pages fit together. */
export function TimeFilter({ from, to, onChange }: Range & { onChange: (range: Range) => void }) {
  const [chosen, choose] = useState("");
  const isRanged = from !== "" || to !== "";
  const value = chosen === custom ? custom : isRanged ? chosen || custom : "";
  const change = (next: string) => {
    choose(next);
    const range = ranges[next];
    if (next !== custom) onChange({ from: range ? hoursAgo(range.hours) : "", to: "" });
  };
  return (
    <>
      <SelectFilter
        label={partTexts.time.label}
        any={partTexts.time.any}
        value={value}
        options={timeOptions}
        onChange={change}
      />
      {value === custom && <DateRange from={from} to={to} onChange={onChange} />}
    </>
  );
}
