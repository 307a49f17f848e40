/** The operator log, newest first. */
import { Heading } from "../parts/heading.tsx";
import { type List, type Rows, ServerList } from "../parts/list.tsx";
import { allOperatorActionColumns } from "../parts/operator-actions.tsx";
import type { PageProps } from "../place.ts";

const log: List = {
  title: "Operator actions, newest first",
  query: "operator-actions",
  contains: "Operator, action or reason",
  growing: true,
  none: "No operator actions yet. Each action of an operator is an entry, with its reason.",
  start: <a href="/organisations">Show the organisations</a>,
  columns: allOperatorActionColumns,
};

export function OperatorLogPage({ place }: PageProps) {
  return (
    <>
      <Heading title="Operator log" />
      <div class="panel">
        <ServerList
          list={log}
          place={place}
          rowsOf={(data: { operatorActions: Rows } | undefined) => data?.operatorActions}
        />
      </div>
    </>
  );
}
