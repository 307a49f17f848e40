/** The state of a list in the address: filters, range of times, order and cursor. */
import type { ComponentChildren as Shown } from "preact";
import type { Option } from "../../parts/filters.tsx";
import type { Purpose } from "../../parts/page.tsx";
import { hoursAgo, ranges } from "../../parts/time-filter.tsx";
import type { Place } from "../place.ts";
import type { Column } from "./table.tsx";

export type ListFilter = { name: string; label: string; options: Option[] };

// biome-ignore lint/suspicious/noExplicitAny: each list has its own type of row
export type List<Row = any> = {
  title: string;
  /** Name of the saved query. Its variables are first, after, condition and orderBy. */
  query: string;
  columns: Column<Row>[];
  none: Purpose;
  /** What starts an empty list, or leads there. */
  start: Shown;
  filters?: ListFilter[];
  /** The columns that the filter by text searches; no such filter without it. */
  contains?: string;
  /** Grows without a limit, so that a sort by a column without an index gets a range of times. */
  growing?: boolean;
};

export type ListState = ReturnType<typeof listState>;

export function listState(place: Place, prefix: string, filters: ListFilter[]) {
  const get = (name: string) => place.query.get(prefix + name) ?? "";
  const names = ["contains", "time", "from", "to", ...filters.map(({ name }) => name)];
  const values = Object.fromEntries(names.map((name) => [name, get(name)]));
  const { contains, time = "", from, to } = values;
  return {
    values,
    after: place.query.get(`${prefix}after`),
    /** GraphQL name, such as NAME_ASC. */
    order: get("sort"),
    isFiltered: names.some((name) => values[name] !== ""),
    isRanged: Boolean(time || from || to),
    /** The condition of the query at this moment. */
    condition: (): Record<string, unknown> => {
      const hours = ranges[time]?.hours;
      const since = hours ? hoursAgo(hours) : from;
      const given = [
        ...filters.map(({ name }) => [name, conditionValue(values[name] ?? "")]),
        ["contains", contains],
        ["since", since],
        ["until", to],
      ];
      return Object.fromEntries(given.filter(([, value]) => value !== "" && value !== undefined));
    },
  };
}

const conditionValue = (text: string): string | boolean => (text === "true" ? true : text === "false" ? false : text);
