/** The history of one row, oldest first, with the time between two events. */
import type { ComponentChildren as Shown } from "preact";
import type { Tone } from "../../parts/badge.tsx";
import { Section } from "../../parts/page.tsx";
import { ms } from "../numbers.ts";
import { When } from "../times.tsx";

export type Moment = { at: string | null | undefined; what: Shown; tone?: Tone };

/** @param moments those without a time are left out */
export function Timeline({ moments }: { moments: Moment[] }) {
  const known = moments
    .flatMap(({ at, ...others }) => (at ? [{ at, ...others }] : []))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Section title="Timeline">
      <ol class="timeline">
        {known.map(({ at, what, tone = "neutral" }, index) => {
          const before = known[index - 1];
          return (
            <li key={`${at} ${index}`} class={tone}>
              {what}{" "}
              <span class="quiet">
                <When at={at} />
                {before && `, after ${ms(Date.parse(at) - Date.parse(before.at))}`}
              </span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
