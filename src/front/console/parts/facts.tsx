/** Properties of one item as a list of names and values. */
import type { ComponentChildren as Shown } from "preact";
import { Facts } from "../../parts/page.tsx";

export type Fact = [name: string, value: Shown];

export function facts(all: (Fact | false | undefined | null | "")[]) {
  return (
    <Facts items={all.filter((fact): fact is Fact => Boolean(fact)).map(([name, value]) => [name, value ?? "–"])} />
  );
}

/** Use of a limit as a number and a bar. */
export function use(used: number, limit: number | null, show: (value: number) => string = String) {
  if (limit == null)
    return (
      <span>
        {show(used)} <span class="quiet">no limit</span>
      </span>
    );
  const share = limit > 0 ? used / limit : used > 0 ? 1 : 0;
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
  return (
    <span class="use">
      <span>
        {show(used)} <span class="quiet">of {show(limit)}</span>
      </span>
      <meter
        class={tone}
        min="0"
        max="1"
        value={Math.min(share, 1)}
        aria-label={`${Math.round(share * 100)} % used`}
      ></meter>
    </span>
  );
}
