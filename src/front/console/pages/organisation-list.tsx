/** One list of an organisation. Each row gets the organisation's id, which its actions need. */
import type { ComponentChildren as Shown } from "preact";
import { type List, type Rows, ServerList } from "../parts/list.tsx";
import type { Place } from "../place.ts";

/** With the GraphQL field of the organisation. */
export type OrganisationListOf = List & {
  field: string;
  /** Name of the operator action that starts an empty list. */
  action?: string;
};

type Props = {
  list: OrganisationListOf;
  organisation: string;
  place: Place;
  /** The button of the list's action. */
  start: (action: string) => Shown;
};

export function OrganisationList({ list, organisation, place, start }: Props) {
  return (
    <div class="panel">
      <ServerList
        list={list.action ? { ...list, start: start(list.action) } : list}
        place={place}
        variables={{ organisation }}
        rowsOf={(data: { organisation: Record<string, Rows> | null } | undefined) => {
          const rows = data?.organisation?.[list.field];
          return rows && { ...rows, nodes: rows.nodes.map((row) => ({ ...row, organisation })) };
        }}
      />
    </div>
  );
}
