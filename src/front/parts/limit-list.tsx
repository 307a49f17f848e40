/** Limits with their use, as numbers and bars. */
import { shareOf, toneOfShare } from "./limit-use.ts";
import { partTexts } from "./texts.ts";

const texts = partTexts.limits;

export type ShownLimit = {
  name: string;
  label: string;
  used: number;
  /** null: there is none. */
  limit: number | null;
  show: (value: number) => string;
};

export function LimitList({ limits }: { limits: ShownLimit[] }) {
  return (
    <dl class="limits">
      {limits.map((limit) => (
        <div key={limit.name}>
          <dt>{limit.label}</dt>
          <dd>
            <Use {...limit} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Use({ label, used, limit, show }: ShownLimit) {
  const share = shareOf({ used, limit });
  return (
    <span class="use">
      <span>
        {show(used)} <span class="quiet">{limit === null ? texts.none : texts.of(show(limit))}</span>
      </span>
      {limit !== null && (
        <meter class={toneOfShare(share) ?? ""} min="0" max="1" value={Math.min(share, 1)} aria-label={label} />
      )}
    </span>
  );
}
