/** Copies people to the target. They belong to no organisation, so replication of an organisation's rows does not carry them. */
import type { Move } from "./cell.ts";

/** All people to whom rows of the organisation refer. Reads each of its rows. */
const peopleOf = "select id, email, display_name from service.people_of($1)";
const membersOf = `select person.id, person.email, person.display_name
  from app.people person join app.memberships membership on membership.person_id = person.id
  where membership.organisation_id = $1`;

/** People belong to no organisation. A person whom the target has already, as a member of another organisation, stays unchanged. */
const update = `update set display_name = excluded.display_name
  where not exists (
    select from app.memberships membership where membership.person_id = excluded.id and membership.organisation_id <> $2
  )`;

async function copyPersons({ source, target, organisation }: Move, query: string, onConflict: string): Promise<void> {
  const people = await source.rows(query, [organisation]);
  await target.rows(
    `insert into app.people (id, email, display_name)
     select id, email, display_name from json_to_recordset($1) arriving (id uuid, email text, display_name text)
     where $2::uuid is not null
     on conflict (id) do ${onConflict}`,
    [JSON.stringify(people), organisation],
  );
}

export const copyPeople = (move: Move): Promise<void> => copyPersons(move, peopleOf, update);
/** Fast: no cell serves the organisation meanwhile. */
export const copyMembers = (move: Move): Promise<void> => copyPersons(move, membersOf, update);
/** Former members who joined and left in the last moment. The target may have newer names of the others. */
export const copyMissingPeople = (move: Move): Promise<void> => copyPersons(move, peopleOf, "nothing");
