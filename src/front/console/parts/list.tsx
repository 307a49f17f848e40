/** A list that the server sorts, filters and pages. The address holds its state, so that a link shows the same rows. */
import { useLocation } from "preact-iso";
import { useFilterable } from "../../parts/filter-line.tsx";
import { emptyState } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { refresh, useLive } from "../live.ts";
import { hereWith, type Place } from "../place.ts";
import { type FilterNames, ListFilters } from "./list-filters.tsx";
import { type List, listState } from "./list-state.ts";
import { failed } from "./states.tsx";
import { type Page, pager } from "./table.tsx";

export type { List };
export type Rows = { nodes: { id: string }[]; pageInfo: Page };

type Props = {
  list: List;
  place: Place;
  variables?: Record<string, unknown>;
  /** Conditions that are no filters. */
  of?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each query has its own type of answer
  rowsOf: (data: any) => Rows | undefined;
  /** Begins the list's parameters in the address, if the page has several lists. */
  prefix?: string;
  pageSize?: number;
};

const timeOrder = "PRIMARY_KEY";

export function ServerList({ list, place, variables = {}, of = {}, rowsOf, prefix = "", pageSize = 50 }: Props) {
  const { route } = useLocation();
  const state = listState(place, prefix, list.filters ?? []);
  const answer = useLive(
    list.query,
    { ...variables, first: pageSize, after: state.after, ...(state.order ? { orderBy: [state.order] } : {}) },
    () => ({ condition: { ...state.condition(), ...of } }),
    JSON.stringify(state.values),
  );
  const rows = rowsOf(answer.data);
  const loaded = { rows: rows?.nodes ?? [], loading: !answer.data };
  const isFilterable = useFilterable(loaded, state.isFiltered);
  const set = (changes: FilterNames) =>
    route(
      hereWith(
        Object.fromEntries(
          [...Object.entries(changes), ["after", undefined]].map(([name, value]) => [prefix + name, value]),
        ),
      ),
      true,
    );
  const sort = (order: string) => {
    const isSlow = list.growing && !order.startsWith(timeOrder) && !state.isRanged;
    set({ sort: order, ...(isSlow ? { time: "7d" } : {}) });
  };
  return (
    <>
      {isFilterable && <ListFilters list={list} state={state} set={set} />}
      {answer.failure?.kind === "refused" && failed(answer.failure.message)}
      <Table
        caption={list.title}
        columns={list.columns}
        rows={loaded.rows}
        rowKey={({ id }) => id}
        loading={!answer.data && !answer.failure}
        error={
          answer.data || answer.failure?.kind === "refused"
            ? undefined
            : answer.failure && new Error(answer.failure.message)
        }
        retry={refresh}
        empty={state.isFiltered ? "No rows match the filters." : emptyState(list.none, list.start)}
        server={{ order: state.order, onSort: sort }}
        exportName={list.title.replace(/,.*/, "").toLowerCase().replaceAll(" ", "-")}
      />
      {pager(rows?.pageInfo, state.after, `${prefix}after`)}
    </>
  );
}
