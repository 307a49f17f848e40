/** The bots that the person can see, for names in lists and for choices in forms. */
import type { Option } from "../parts/filters.tsx";
import { useAll } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";

export type Bots = {
  options: Option[];
  /** The name, or the start of the id of a bot that is deleted or not visible. */
  nameOf: (id: string) => string;
};

export function useBots(): Bots {
  const may = useMay();
  const bots = useAll<Schemas["Bot"]>(may("list_bots") ? "/bots" : null);
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  return {
    options: bots.map(({ id, name }) => ({ value: id, title: name })),
    nameOf: (id) => names.get(id) ?? shortId(id),
  };
}

export const shortId = (id: string): string => `${id.slice(0, 8)}…`;
