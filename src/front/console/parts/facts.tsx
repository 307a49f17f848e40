/** Properties of one item as a list of names and values. */
import { shareOf, toneOfShare } from "../../parts/limit-use.ts";
import { type Fact, Facts } from "../../parts/page.tsx";

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
  const share = shareOf({ used, limit });
  return (
    <span class="use">
      <span>
        {show(used)} <span class="quiet">of {show(limit)}</span>
      </span>
      <meter
        class={toneOfShare(share) ?? "good"}
        min="0"
        max="1"
        value={Math.min(share, 1)}
        aria-label={`${Math.round(share * 100)} % used`}
      ></meter>
    </span>
  );
}
