/** Light or dark: as the system, or as chosen here. The choice is stored in the browser. */
import { useState } from "preact/hooks";
import { html } from "./html.ts";

type Scheme = "system" | "light" | "dark";
const schemes: Scheme[] = ["system", "light", "dark"];
const labels: Record<Scheme, string> = { system: "As the system", light: "Light", dark: "Dark" };

function chosen(): Scheme {
  const stored = localStorage.getItem("scheme") as Scheme;
  return schemes.includes(stored) ? stored : "system";
}

export function applyScheme(scheme: Scheme = chosen()): void {
  document.documentElement.dataset.scheme = scheme;
}

export function SchemeSwitch() {
  const [scheme, set] = useState(chosen);
  const choose = (event: Event) => {
    const next = (event.target as HTMLSelectElement).value as Scheme;
    localStorage.setItem("scheme", next);
    applyScheme(next);
    set(next);
  };
  return html`<label class="scheme"
    ><span>Appearance</span>
    <select value=${scheme} onChange=${choose}>
      ${schemes.map((each) => html`<option value=${each} selected=${each === scheme}>${labels[each]}</option>`)}
    </select></label
  >`;
}
