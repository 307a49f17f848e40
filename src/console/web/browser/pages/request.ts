/** A request: who asked, when, what came of it, and what it changed. */
import { html } from "../html.ts";
import type { Found } from "../kinds.ts";
import { useLive } from "../live.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id, shortId } from "../parts/ids.ts";
import { bySearch, type Named, toOrganisation } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import { doer, ofOneRequest, type TrailEntry } from "../parts/trail.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";

type Data = { trailEntries: { nodes: (TrailEntry & { organisation: Named })[] } };

export function RequestPage({ params }: PageProps) {
  const answer = useLive<Data>("request", { id: params.id });
  const found = useLive<{ search: Found[] }>("search", { query: params.id });
  return html`<${Heading} kind="Request" title=${shortId(params.id ?? "")}>
      <div class="under"><${Id} id=${params.id} /></div>
    <//>
    ${shown(answer, ({ trailEntries: { nodes } }) => {
      const [first] = nodes;
      return [
        html`<div class="panel">${facts([
          first && ["Asked by", doer(first)],
          first && ["With the key", bySearch(first.keyId)],
          first && ["Of", toOrganisation(first.organisation)],
          first && ["At", html`<${When} at=${first.createdAt} />`],
          ["Answered", shown(found, ({ search }) => answered(search) ?? "not kept", 1)],
        ])}</div>`,
        section(
          "changed",
          "What it changed",
          table("What it changed, in order", nodes, ofOneRequest, { key: ({ id }) => id, none: nothing }),
        ),
      ];
    })}`;
}

/** Of a request search tells its answer in one word, kept for as long as it may be repeated, and what it did in two. */
function answered(found: Found[]): string | undefined {
  const label = found.find(({ kind, label }) => kind === "request" && label && !label.includes(" "))?.label;
  return label && /^\d+$/.test(label) ? `HTTP ${label}` : label?.replaceAll("_", " ");
}

const nothing =
  "The trail has nothing of it: it only read, was refused, or never came here; or the trail of its time is no longer kept.";
