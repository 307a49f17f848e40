/** Names of bots and members, for lists that have their ids and for choices in forms. */
import type { Option } from "../parts/filters.tsx";
import { shortId } from "../parts/id.tsx";
import { useAll } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { botTexts } from "./texts/bots.ts";

export type Names = {
  options: Option[];
  /** The name, also of a deleted bot. The end of the id if the person cannot see the bot or the member is gone. */
  nameOf: (id: string) => string;
};

export function useBots(): Names {
  const may = useMay();
  const path = may("list_bots") ? "/bots" : null;
  const bots = useAll<Schemas["Bot"]>(path);
  const deleted = useAll<Schemas["Bot"]>(path, { deleted: "true" });
  const { options, nameOf } = namesOf(bots.map(({ id, name }) => ({ value: id, title: name })));
  const deletedName = new Map(deleted.map(({ id, name }) => [id, botTexts.deleted(name)]));
  return { options, nameOf: (id) => deletedName.get(id) ?? nameOf(id) };
}

export function usePeople(): Names {
  const may = useMay();
  const members = useAll<Schemas["Member"]>(may("list_members") ? "/members" : null);
  return namesOf(members.map(({ userId, displayName, email }) => ({ value: userId, title: displayName ?? email })));
}

function namesOf(options: Option[]): Names {
  const names = new Map(options.map(({ value, title }) => [value, title]));
  return { options, nameOf: (id) => names.get(id) ?? shortId(id) };
}
