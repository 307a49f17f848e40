/** The operator log, newest first. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { Heading } from "../parts/heading.ts";
import { allOperatorActionColumns, type OperatorAction } from "../parts/operator-actions.ts";
import { shown } from "../parts/states.ts";
import { type Page, pager, table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";

type Data = { operatorActions: { nodes: OperatorAction[]; pageInfo: Page } };

export function OperatorLogPage({ place }: PageProps) {
  const after = place.query.get("after");
  const answer = useLive<Data>("operator-actions", { first: 50, after });
  return html`<${Heading} title="Operator log" />
    <div class="panel">
      ${shown(answer, ({ operatorActions }) => [
        table("Operator actions, newest first", operatorActions.nodes, allOperatorActionColumns, {
          key: ({ id }) => id,
          none: "No operator actions yet.",
        }),
        pager(operatorActions.pageInfo, after),
      ])}
    </div>`;
}
