/**
 * What stands in place of row-level security in search.claims is the same as the policy, and its index is one that an
 * organisation reads for itself.
 */
import { Pool, type PoolClient } from "pg";
import { makeMember, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  db = await testDatabase();
  pool = new Pool({ connectionString: db.adminUrl, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

/** As tenant, for a person of an organisation. */
async function as<T>(organisation: string, person: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(
      `select set_config('caller.organisation_id', $1, true), set_config('caller.person_id', $2, true),
         set_config('caller.scope', 'read', true), set_config('caller.role', 'admin', true)`,
      [organisation, person],
    );
    await client.query("set local role tenant");
    return await work(client);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const bySearch = `select id from search.claims(
  'english', 'word', (select caller.visible_bots()), caller.person_id(), '{}', rows.time(now()), null, 1000) order by id`;

test("for whoever asks it finds what the policy shows them, claim by claim, and nothing beside", async () => {
  const organisations = [await makeOrganisation(db), await makeOrganisation(db)];
  const callers: [string, string][] = [];
  for (const { id, ownerId } of organisations) {
    const people = [ownerId, await makeMember(db, id, "admin"), await makeMember(db, id, "member")];
    for (const person of people) callers.push([id, person]);
    await db.sql(
      `with bots as (
         insert into app.bots (organisation_id, name, owner_id, visibility, deleted_at)
         select $1, 'b', person, visibility, deleted
         from unnest($2::uuid[]) person, unnest(enum_range(null::app.bot_visibility)) visibility,
           unnest(array[null, now()]) deleted
         returning id
       )
       insert into app.memories (organisation_id, scope, bot_id, member_id, kind, subject, value, provenance, source)
       select $1, scope, bot, member, 'k', 's', 'word', 'member', 'test'
       from (
         select 'organisation'::app.memory_scope, null::uuid, null::uuid
         union all select 'bot', id, null from bots
         union all select 'member', null, person from unnest($2::uuid[]) person
       ) each (scope, bot, member)`,
      [id, people],
    );
  }
  const counts = new Set<number>();
  for (const [organisation, person] of callers) {
    const [shown, found] = await as(organisation, person, async (client) => [
      (await client.query("select id from app.memories order by id")).rows,
      (await client.query(bySearch)).rows,
    ]);
    expect(found).toEqual(shown);
    counts.add(found.length);
  }
  const all = await db.sql("select from app.memories");
  expect(counts).toEqual(new Set([6])); // the organisation's, three bots of the team, one of their own, and their own
  expect(all).toHaveLength(2 * 16);
});

test("where nobody asks, nothing is found", async () => {
  const client = await pool.connect();
  try {
    await client.query("begin; set local role tenant");
    expect((await client.query(bySearch)).rows).toEqual([]);
    expect((await client.query(bySearch.replace("caller.person_id()", "null"))).rows).toEqual([]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("subjects are spelled in the table as in questions", async () => {
  const { id } = await makeOrganisation(db);
  await db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'k', subject, 'v', 'member', 'test'
     from unnest(array['A b', E'\\tÄ-ß_', '- -', 'Ⅷ ﬁ', U&'e\\0301', 'İI']) subject`,
    [id],
  );
  const rows = await db.sql(
    "select subject_key, search.spelled(subject) from app.memories where organisation_id = $1",
    [id],
  );
  expect(rows).toHaveLength(6);
  for (const { subject_key, spelled } of rows) expect(spelled).toBe(subject_key);
});

test("among many organisations' claims it reads the index of words, led by the organisation", async () => {
  const { id } = await makeOrganisation(db);
  await db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select organisation.id, 'organisation', 'k', 'Subject ' || n, 'thing' || n % 50 || ' other' || n % 7, 'member', 'test'
     from app.organisations organisation, generate_series(1, 3000) n`,
  );
  await db.sql("analyze app.memories");
  const client = await pool.connect();
  try {
    await client.query("begin; set local role searcher; set local plan_cache_mode = force_custom_plan");
    const { rows } = await client.query(
      `explain (costs off) select id from app.memories
       where organisation_id = '${id}' and search @@ 'thing7'::tsquery`,
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(
      /Bitmap Index Scan on memories_by_words\s+Index Cond: \(\(organisation_id = .+ AND \(search @@/,
    );
    expect(plan).not.toContain("Filter");
  } finally {
    await client.query("rollback");
    client.release();
  }
});
