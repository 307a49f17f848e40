/** What is wrong now: a lamp for each kind of matter, what it is and what to do, and how it came over time. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { plural } from "../numbers.ts";
import { choice } from "../parts/choice.ts";
import { Heading } from "../parts/heading.ts";
import { lamps } from "../parts/lamps.ts";
import { howMany, matters, type Trouble } from "../parts/matters.ts";
import { Plots } from "../parts/plots.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { troubleList } from "../parts/troubles.ts";
import { hereWith, type PageProps } from "../place.ts";
import { spanOf, spans } from "../spans.ts";

type Data = { troubles: { nodes: Trouble[] } };

export function HomePage({ place }: PageProps) {
  const answer = useLive<Data>("troubles");
  const span = spanOf(place.query.get("span"));
  const only = matters.find(({ name }) => name === place.query.get("matter"));
  const all = answer.data?.troubles.nodes;
  const title = !all ? "Now" : all.length === 0 ? "Nothing is wrong" : `${plural(howMany(all), "thing")} wrong now`;
  return html`<${Heading}
      title=${title}
      beside=${choice(
        "Span of the plots",
        "span",
        spans.map(({ name, words }) => [name, words]),
        span.name,
      )}
    />
    ${lamps(all, only)}
    <div class="wrong-now">
      ${section(
        "troubles",
        only ? only.words : "What is wrong, worst first",
        shown(answer, ({ troubles }) => troubleList(troubles.nodes, only), 6),
        only && html`<a href=${hereWith({ matter: undefined })}>Show all</a>`,
      )}
      <${Plots} span=${span} />
    </div>`;
}
