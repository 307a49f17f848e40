/** One lamp for each kind of matter: green, or how many and how bad. Each leads to what it is about. */
import { html } from "../html.ts";
import { count } from "../numbers.ts";
import { hereWith } from "../place.ts";
import type { Trouble } from "./troubles.ts";

export type Matter = { name: string; words: string; of: string[] };

export const matters: Matter[] = [
  { name: "endpoints", words: "Endpoints", of: ["failing_endpoint"] },
  { name: "queues", words: "Queues", of: ["stuck_queue", "late_deliveries"] },
  { name: "executors", words: "Executors", of: ["silent_executor"] },
  { name: "ceilings", words: "Ceilings", of: ["ceiling"] },
  { name: "mails", words: "Mails", of: ["failing_mail"] },
  { name: "cards", words: "Cards", of: ["expired_card"] },
];

/** Whatever is of no other lamp is the service's own: it must not be missed because nobody thought of a lamp for it. */
const service: Matter = { name: "service", words: "Service", of: [] };
matters.push(service);

export const isOf = ({ matter }: Trouble, lamp: Matter): boolean =>
  lamp === service ? !matters.some(({ of }) => of.includes(matter)) : lamp.of.includes(matter);

export function lamps(troubles: Trouble[] | undefined, chosen: Matter | undefined) {
  return html`<nav class="lamps" aria-label="Kinds of trouble">
    ${matters.map((lamp) => {
      const mine = troubles?.filter((trouble) => isOf(trouble, lamp)) ?? [];
      const critical = mine.filter(({ severity }) => severity === "critical").length;
      const tone = critical > 0 ? "bad" : mine.length > 0 ? "warn" : troubles ? "good" : "";
      const says = critical > 0 ? `${count(critical)} critical` : mine.length > 0 ? "to look at" : "well";
      return html`<a
        key=${lamp.name}
        class=${`lamp ${tone}`}
        href=${hereWith({ matter: lamp === chosen ? undefined : lamp.name })}
        aria-current=${lamp === chosen ? "true" : undefined}
        ><span class="name">${lamp.words}</span> <b>${troubles ? count(mine.length) : "–"}</b>
        <span class="says">${troubles ? says : "asking"}</span></a
      >`;
    })}
  </nav>`;
}
