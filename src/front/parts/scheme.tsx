/** Light or dark: as the system, or as chosen here. The choice is stored in the browser. */
import { useState } from "preact/hooks";
import { partTexts } from "./texts.ts";

type Scheme = "system" | "light" | "dark";
const schemes: Scheme[] = ["system", "light", "dark"];

function chosen(): Scheme {
  try {
    const stored = localStorage.getItem("scheme") as Scheme;
    return schemes.includes(stored) ? stored : "system";
  } catch {
    return "system"; // an embedded page may have no storage
  }
}

export function applyScheme(scheme: Scheme = chosen()): void {
  document.documentElement.dataset.scheme = scheme;
}

export function SchemeSwitch() {
  const [scheme, set] = useState(chosen);
  const choose = (event: Event) => {
    const next = (event.currentTarget as HTMLSelectElement).value as Scheme;
    set(next);
    applyScheme(next);
    try {
      localStorage.setItem("scheme", next);
    } catch {} // holds until the page is closed
  };
  return (
    <label class="scheme">
      <span>{partTexts.scheme.label}</span>
      <select value={scheme} onChange={choose}>
        {schemes.map((each) => (
          <option key={each} value={each}>
            {partTexts.scheme[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
