/** Filters of a list. The address stores them, so that a filtered list has a link and a history. */

import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { withQuery } from "./api.ts";
import { partTexts } from "./texts.ts";

const typingPauseMs = 300;

export type Filters<Name extends string> = {
  /** Empty without a filter. */
  values: Record<Name, string>;
  set: (changes: Partial<Record<Name, string>>) => void;
  isFiltered: boolean;
  count: number;
  clear: () => void;
  /** The value of a filter and its change, as properties of a field. */
  of: (name: Name) => { value: string; onChange: (value: string) => void };
};

export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const { path, query, route } = useLocation();
  const values = Object.fromEntries(names.map((name) => [name, query[name] ?? ""])) as Record<Name, string>;
  const set: Filters<Name>["set"] = (changes) => route(withQuery(path, { ...values, ...changes }), true);
  const count = names.filter((name) => values[name] !== "").length;
  return {
    values,
    set,
    count,
    clear: () => route(path, true),
    of: (name) => ({
      value: values[name],
      onChange: (value) => set({ [name]: value } as Partial<Record<Name, string>>),
    }),
    isFiltered: count > 0,
  };
}

export type Option = { value: string; title: string };

/** @param titles by value */
export const optionsOf = (titles: Record<string, string>): Option[] =>
  Object.entries(titles).map(([value, title]) => ({ value, title }));

type FilterProps = { label: string; value: string; onChange: (value: string) => void };

/** @param any the option without a filter */
export function SelectFilter({
  label,
  value,
  onChange,
  options,
  any = partTexts.filters.all,
}: FilterProps & { options: Option[]; any?: string }) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Filters when the reader stops typing. */
export function TextFilter({
  label,
  value,
  onChange,
  placeholder,
  maxLength = 400,
}: FilterProps & { placeholder?: string; maxLength?: number }) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next.trim()), typingPauseMs);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        value={text}
        maxLength={maxLength}
        placeholder={placeholder}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}
