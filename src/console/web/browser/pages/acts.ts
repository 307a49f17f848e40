/** What operators did, newest first. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { type ActRow, actColumnsOfAll } from "../parts/acts.ts";
import { Heading } from "../parts/heading.ts";
import { shown } from "../parts/states.ts";
import { type Page, pager, table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";

type Data = { acts: { nodes: ActRow[]; pageInfo: Page } };

export function ActsPage({ place }: PageProps) {
  const after = place.query.get("after");
  const answer = useLive<Data>("acts", { first: 50, after });
  return html`<${Heading} title="What operators did" />
    <div class="panel">
      ${shown(answer, ({ acts }) => [
        table("What operators did, newest first", acts.nodes, actColumnsOfAll, {
          key: ({ id }) => id,
          none: "No operator has done anything here yet.",
        }),
        pager(acts.pageInfo, after),
      ])}
    </div>`;
}
