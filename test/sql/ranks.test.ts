/**
 * Ranks in the policies of memberships: the members that an owner and an admin may change and remove, by row-level
 * security without the API. (docs/specification/members.md#roles)
 */
import { Pool, type PoolClient } from "pg";
import {
  makeKey,
  makeMember,
  makeOrganisation,
  type TestDatabase,
  type TestKey,
  testDatabase,
} from "../support/database.ts";

let db: TestDatabase;
let pool: Pool;
const people: Record<string, string> = {};
const keys: Record<string, TestKey> = {};

beforeAll(async () => {
  db = await testDatabase();
  pool = new Pool({ connectionString: db.adminUrl, max: 2 });
  const { id, ownerId } = await makeOrganisation(db);
  Object.assign(people, {
    owner: ownerId,
    "another owner": await makeMember(db, id, "owner"),
    admin: await makeMember(db, id, "admin"),
    "another admin": await makeMember(db, id, "admin"),
    member: await makeMember(db, id, "member"),
  });
  for (const rank of ["owner", "admin"]) keys[rank] = await makeKey(db, id, people[rank] ?? "");
});

afterAll(async () => {
  await pool.end();
  await db.drop();
});

type Change = "made owner" | "made admin" | "made member" | "removed";
const changes: Change[] = ["made owner", "made admin", "made member", "removed"];

/** The verdict for each change of the person by the caller, in the order of `changes`. */
const ranks: [caller: string, person: string, verdicts: string][] = [
  //                                 owner   admin   member  removed
  ["owner", "owner", "               yes     yes     yes     hidden"],
  ["owner", "another owner", "       yes     yes     yes     yes"],
  ["owner", "admin", "               yes     yes     yes     yes"],
  ["owner", "member", "              yes     yes     yes     yes"],
  ["admin", "owner", "               hidden  hidden  hidden  hidden"],
  ["admin", "admin", "               refused yes     yes     hidden"],
  ["admin", "another admin", "       refused yes     yes     yes"],
  ["admin", "member", "              refused yes     yes     yes"],
];

async function attempt(caller: string, person: string, change: Change): Promise<string> {
  const text =
    change === "removed"
      ? "delete from app.memberships where person_id = $1"
      : `update app.memberships set role = '${change.slice("made ".length)}' where person_id = $1`;
  const client: PoolClient = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select caller.authenticate($1, 'get_me')", [keys[caller]?.digest]);
    await client.query("set local role tenant");
    const { rowCount } = await client.query(text, [people[person]]);
    return rowCount === 0 ? "hidden" : "yes";
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "42501" && message.startsWith("new row violates row-level security policy")) return "refused";
    throw error;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test.each(ranks)("an %s changes and removes an %s only within the rank", async (caller, person, verdicts) => {
  expect(await db.sql("select from app.memberships where person_id = $1", [people[person]])).toHaveLength(1);
  const actual: string[] = [];
  for (const change of changes) actual.push(await attempt(caller, person, change));
  expect(actual).toEqual(verdicts.trim().split(/\s+/));
});
