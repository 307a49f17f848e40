/** The filters of a list, and the active ones as chips that remove them. */
import { DateRange } from "../../parts/date-range.tsx";
import { FilterLine } from "../../parts/filter-line.tsx";
import { SelectFilter, TextFilter } from "../../parts/filters.tsx";
import { localTime } from "../../parts/time.tsx";
import { custom, ranges, timeOptions } from "../../parts/time-filter.tsx";
import type { List, ListState } from "./list-state.ts";

export type FilterNames = Record<string, string | undefined>;

type Props = { list: List; state: ListState; set: (changes: FilterNames) => void };

export function ListFilters({ list, state, set }: Props) {
  const { values } = state;
  const { time = "", from = "", to = "", contains = "" } = values;
  return (
    <FilterLine
      inside
      label={`Filters: ${list.title}`}
      count={Object.values(values).filter(Boolean).length}
      onClear={() => set(Object.fromEntries(Object.keys(values).map((name) => [name, undefined])))}
      first={
        list.contains && (
          <TextFilter
            label="Contains"
            placeholder={list.contains}
            value={contains}
            onChange={(text) => set({ contains: text })}
          />
        )
      }
      after={<Chips list={list} state={state} set={set} />}
    >
      {list.filters?.map(({ name, label, options }) => (
        <SelectFilter
          key={name}
          label={label}
          value={values[name] ?? ""}
          options={options}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <SelectFilter
        label="Time"
        any="Any time"
        value={time || (from || to ? custom : "")}
        options={timeOptions}
        onChange={(value) => set({ time: value, from: undefined, to: undefined })}
      />
      {(time === custom || from || to) && (
        <DateRange from={from} to={to} onChange={(range) => set({ ...range, time: custom })} />
      )}
    </FilterLine>
  );
}

function Chips({ list, state, set }: Props) {
  const { values } = state;
  const titles: Record<string, (value: string) => string> = {
    contains: (value) => `Contains: ${value}`,
    time: (value) => ranges[value]?.title ?? "",
    from: (value) => `From ${localTime(value)}`,
    to: (value) => `To ${localTime(value)}`,
  };
  for (const { name, label, options } of list.filters ?? []) {
    titles[name] = (value) => `${label}: ${options.find((option) => option.value === value)?.title ?? value}`;
  }
  const active = Object.entries(values).flatMap(([name, value]) => {
    const title = value && titles[name]?.(value);
    return title ? [{ name, title }] : [];
  });
  if (active.length === 0) return null;
  return (
    <ul class="chips" aria-label="Active filters">
      {active.map(({ name, title }) => (
        <li key={name}>
          <button
            type="button"
            class="chip"
            aria-label={`Remove the filter ${title}`}
            onClick={() => set({ [name]: undefined })}
          >
            {title} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
