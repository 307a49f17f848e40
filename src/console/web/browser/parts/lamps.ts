/** One lamp for each kind of matter: green, or how many and how bad. Each leads to what it is about. */
import { html } from "../html.ts";
import { count } from "../numbers.ts";
import { hereWith } from "../place.ts";
import { howMany, isOf, type Matter, matters, type Trouble } from "./matters.ts";

export function lamps(troubles: Trouble[] | undefined, chosen: Matter | undefined) {
  return html`<nav class="lamps" aria-label="Kinds of trouble">
    ${matters.map((lamp) => {
      const mine = troubles?.filter((trouble) => isOf(trouble, lamp)) ?? [];
      const critical = howMany(mine.filter(({ severity }) => severity === "critical"));
      const tone = critical > 0 ? "bad" : mine.length > 0 ? "warn" : troubles ? "good" : "";
      const says = critical > 0 ? `${count(critical)} critical` : mine.length > 0 ? "to look at" : "well";
      return html`<a
        key=${lamp.name}
        class=${`lamp ${tone}`}
        href=${hereWith({ matter: lamp === chosen ? undefined : lamp.name })}
        aria-current=${lamp === chosen ? "true" : undefined}
        ><span class="name">${lamp.words}</span> <b>${troubles ? count(howMany(mine)) : "–"}</b>
        <span class="says">${troubles ? says : "asking"}</span></a
      >`;
    })}
  </nav>`;
}
