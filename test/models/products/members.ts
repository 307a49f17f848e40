import { makeKey, makeMember } from "../../support/database.ts";
import { firstRoles, type MemberAction } from "../members.ts";
import type { Product } from "../model.ts";
import { openTenant, type Place } from "./place.ts";

export async function openMembers(place: Place): Promise<Product<MemberAction>> {
  const { organisation, call } = await openTenant(place);
  const people: { id: string; key: string }[] = [];
  for (const [number, role] of firstRoles.entries()) {
    const id = number === 0 ? organisation.ownerId : await makeMember(place.db, organisation.id, role);
    people.push({ id, key: (await makeKey(place.db, organisation.id, id)).text });
  }
  return {
    async perform(action) {
      const by = people[action.by]?.key;
      if (action.do === "use") return (await call("GET", "/me", undefined, by)).said;
      const path = `/members/${people[action.member]?.id}`;
      if (action.do === "remove") return (await call("DELETE", path, undefined, by)).said;
      return (await call("PATCH", path, { role: action.role }, by)).said;
    },
    async shown() {
      const rows = await place.db.sql<{ person: string; role: string }>(
        "select person_id as person, role from app.memberships where organisation_id = $1",
        [organisation.id],
      );
      return people.map(({ id }) => rows.find(({ person }) => person === id)?.role ?? null);
    },
  };
}
