/** Filters as links, so that address, history and keyboard work. */
import { hereWith } from "../place.ts";

/** @param chosen value from the address; null selects the first option */
export function choice(label: string, name: string, options: [value: string, label: string][], chosen: string | null) {
  const current = chosen ?? options[0]?.[0];
  return (
    <nav class="choice" aria-label={label}>
      {options.map(([value, text], index) => (
        <a
          key={value}
          href={hereWith({ [name]: index === 0 ? undefined : value })}
          aria-current={value === current ? "true" : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
