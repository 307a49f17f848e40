/**
 * search.memories returns the same rows as the policy of app.memories, and a prefix search reads the index entries of
 * one organisation only.
 */
import { Client, Pool } from "pg";
import { makeMember, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { asPerson } from "../support/transactions.ts";

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

const bySearch = `select id from search.memories(
  'english', 'word', (select policies.visible_bots()), caller.person_id(), '{}', rows.time(now()), null, 1000) order by id`;

test("search.memories finds exactly the memories that the policy shows the caller", async () => {
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
    const [shown, found] = await asPerson(pool, organisation, person, async (client) => [
      (await client.query("select id from app.memories order by id")).rows,
      (await client.query(bySearch)).rows,
    ]);
    expect(found).toEqual(shown);
    counts.add(found.length);
  }
  const all = await db.sql("select from app.memories");
  expect(counts).toEqual(new Set([6])); // the organisation's, three team bots', one personal bot's, and the member's own
  expect(all).toHaveLength(2 * 16);
});

test("search.memories finds nothing without a caller", async () => {
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

test("subject_key equals names.spelled of the subject", async () => {
  const { id } = await makeOrganisation(db);
  await db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'k', subject, 'v', 'member', 'test'
     from unnest(array['A b', E'\\tÄ-ß_', '- -', 'Ⅷ ﬁ', U&'e\\0301', 'İI']) subject`,
    [id],
  );
  const rows = await db.sql("select subject_key, names.spelled(subject) from app.memories where organisation_id = $1", [
    id,
  ]);
  expect(rows).toHaveLength(6);
  for (const { subject_key, spelled } of rows) expect(spelled).toBe(subject_key);
});

test("search.keyed puts the organisation's digits in front of every lexeme, with any characters", async () => {
  const text = String.raw`it's https://example.test/it's?a='b'&c=\d 'quoted' ''twice'' O'Brien-O'Neill a\b "x" user@example.test /usr/lib/it's.so -1.5e-7 &lt; Ä́ 漢字 🌊 `;
  const { id } = await makeOrganisation(db);
  const vectors = ["english", "german", "simple"].map((language) => `to_tsvector('${language}', $1 || chr(1) || $1)`);
  for (const vector of [...vectors, "$1::text::tsvector"]) {
    const given = vector.startsWith("to_") ? text : "";
    const rows = await db.sql<{ keyed: string[]; expected: string[]; found: boolean }>(
      `select tsvector_to_array(search.keyed($2, vector)) as keyed,
         array(select right($2::text, 8) || word from unnest(tsvector_to_array(vector)) word order by 1) as expected,
         not exists (
           select from unnest(tsvector_to_array(vector)) word
           where not search.keyed($2, vector) @@ search.keyed($2, search.query(left(word, 2), ':*'))
         ) as found
       from (select ${vector} as vector) made`,
      [given, id],
    );
    expect(rows[0]?.keyed.toSorted()).toEqual(rows[0]?.expected.toSorted());
    expect(rows[0]?.found).toBe(true);
    if (given) expect(rows[0]?.keyed.length).toBeGreaterThan(10);
  }
});

test("a prefix search reads the index entries of the organisation only", async () => {
  const [own, other] = [await makeOrganisation(db), await makeOrganisation(db)];
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    await admin.query("set session_replication_role = replica");
    for (const [{ id }, many] of [
      [own, 100],
      [other, 30_000],
    ] as const) {
      await admin.query(
        `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
         select $1, 'organisation', 'k', 'Subject', 'thing' || n, 'member', 'test', to_tsvector('simple', 'common thing' || n)
         from generate_series(1, $2) n`,
        [id, many],
      );
    }
    await admin.query("vacuum (analyze) app.memories");
    await admin.query("begin; set local role searcher; set local enable_seqscan = off");
    await admin.query("select set_config('caller.organisation_id', $1, true)", [own.id]);
    const { rows } = await admin.query<{ "QUERY PLAN": Explained }>(
      "explain (analyze, buffers, format json) select id from search.matching_memories('thing:*', '{}', null)",
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    expect(nodes(plan).map((node) => node["Index Name"])).toContain("memories_by_lexemes");
    expect(plan?.["Actual Rows"]).toBe(100);
    const { "Shared Hit Blocks": hit = Number.NaN, "Shared Read Blocks": read = Number.NaN } = plan ?? {};
    expect(hit + read).toBeLessThan(30);

    // A word of all memories: a search of a run reads as many of 30,000 as of any number, also the newest.
    await admin.query("select set_config('caller.organisation_id', $1, true)", [other.id]);
    const some = await admin.query<{ "QUERY PLAN": Explained }>(
      "explain (analyze, format json) select id from search.some_matching('common', '{}', null)",
    );
    const reads = nodes(some.rows[0]?.["QUERY PLAN"][0]?.Plan).filter((node) => node["Relation Name"] === "memories");
    expect(reads.map((node) => node["Actual Rows"]).toSorted()).toEqual([10_000, 5_000]);
    const { rows: found } = await admin.query<{ count: string; newest: boolean }>(
      `select count(*), bool_or(id = (select max(id::text)::uuid from app.memories where organisation_id = $1)) as newest
       from search.some_matching('common', '{}', null)`,
      [other.id],
    );
    expect(found).toEqual([{ count: "15000", newest: true }]);
    await admin.query("select set_config('caller.organisation_id', $1, true)", [own.id]);
    expect((await admin.query("select from search.some_matching('common', '{}', null)")).rowCount).toBe(100);
  } finally {
    await admin.end();
  }
});

type Node = {
  "Index Name"?: string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Node[];
};
type Explained = { Plan: Node }[];

const nodes = (node: Node | undefined): Node[] => (node ? [node, ...(node.Plans ?? []).flatMap(nodes)] : []);

test("a search for common words ranks a bounded number of memories, and all that pass a narrow filter", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  // As 1,000 and 5,000, with fewer rows.
  await db.sql(`create or replace function search.many() returns integer language sql immutable as 'select 20'`);
  await db.sql(`create or replace function search.many_common() returns integer language sql immutable as 'select 50'`);
  await db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', case when number in (60, 70, 80) then 'rare' else 'k' end, 's', 'yellow crane', 'member', 'test'
     from generate_series(1, 400) number`,
    [id],
  );
  const found = (question: string, filters: object) =>
    asPerson(pool, id, ownerId, async (client) => {
      const { rows } = await client.query(
        `select kind from search.memories('english', $1, (select policies.visible_bots()), caller.person_id(), $2, rows.time(now()), null, 1000) found
         join app.memories memory on memory.id = found.id`,
        [question, filters],
      );
      return rows;
    });
  expect(await found("yellow cranes", {})).toHaveLength(150); // of 400
  expect(await found("yellow cranes", { current: "true" })).toHaveLength(150);
  expect(await found("yellow", { kind: "rare" })).toEqual(Array(3).fill({ kind: "rare" }));
  expect(await found("rare", {})).toHaveLength(3);
});
