/** Names of members, for lists that have their ids. */
import type { Option } from "../parts/filters.tsx";
import { useAll } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { shortId } from "./use-bots.ts";

export type People = {
  options: Option[];
  /** The name or address, or the start of the id of a former member. */
  nameOf: (userId: string) => string;
};

export function usePeople(): People {
  const may = useMay();
  const members = useAll<Schemas["Member"]>(may("list_members") ? "/members" : null);
  const shown = ({ displayName, email }: Schemas["Member"]) => displayName ?? email;
  const names = new Map(members.map((member) => [member.userId, shown(member)]));
  return {
    options: members.map((member) => ({ value: member.userId, title: shown(member) })),
    nameOf: (userId) => names.get(userId) ?? shortId(userId),
  };
}
