/**
 * Ranks, as the policies of memberships hold them: whom an owner and an admin may change and remove, by row-level
 * security alone, without any route in front of it. (decisions: "Members".)
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

type Deed = "made owner" | "made admin" | "made member" | "removed";
const deeds: Deed[] = ["made owner", "made admin", "made member", "removed"];

/** Read across: what the caller can do with that person, in the order of `deeds`. */
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

async function attempt(caller: string, person: string, deed: Deed): Promise<string> {
  const text =
    deed === "removed"
      ? "delete from app.memberships where person_id = $1"
      : `update app.memberships set role = '${deed.slice("made ".length)}' where person_id = $1`;
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

test.each(ranks)("what an %s can do with an %s", async (caller, person, verdicts) => {
  expect(await db.sql("select from app.memberships where person_id = $1", [people[person]])).toHaveLength(1);
  const came: string[] = [];
  for (const deed of deeds) came.push(await attempt(caller, person, deed));
  expect(came).toEqual(verdicts.trim().split(/\s+/));
});
