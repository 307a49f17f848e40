/** The operator log, newest first. */
import { useLive } from "../live.ts";
import { Heading } from "../parts/heading.tsx";
import { allOperatorActionColumns, type OperatorAction } from "../parts/operator-actions.tsx";
import { shown } from "../parts/states.tsx";
import { type Page, pager, table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";

type Data = { operatorActions: { nodes: OperatorAction[]; pageInfo: Page } };

export function OperatorLogPage({ place }: PageProps) {
  const after = place.query.get("after");
  const answer = useLive<Data>("operator-actions", { first: 50, after });
  return (
    <>
      <Heading title="Operator log" />
      <div class="panel">
        {shown(answer, ({ operatorActions }) => [
          table("Operator actions, newest first", operatorActions.nodes, allOperatorActionColumns, {
            key: ({ id }) => id,
            none: "No operator actions yet.",
          }),
          pager(operatorActions.pageInfo, after),
        ])}
      </div>
    </>
  );
}
