/**
 * Conflicts of long values. names.spelled of 4,000 characters takes 2 ms, and a memory is compared with 100 others: so the
 * beginnings are compared first. (docs/specification/memories.md#conflicts)
 */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

/** Characters that combine with others, vanish, expand, or join to one separator. */
const pieces = [
  ..."aBz9ßéeﬁⅧ´`’ι漢か가жİ_- ",
  ...["\u0301", "\u0323", "\u0345", "\u0c56", "\u3099", "\u200b", "\u00ad", "\u2010", "\u1100", "\u1161", "\u11a8"],
];

/** Runs of one character, up to 300 long, by a generator that is equal in every run. */
function texts(count: number): string[] {
  let state = 1;
  const below = (bound: number) => {
    state = (state * 48271) % 2147483647;
    return state % bound;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(60) }, () =>
      (pieces[below(pieces.length)] ?? "").repeat(1 + below(below(4) ? 4 : 300)),
    ).join(""),
  );
}

test("names.beginning is the beginning of names.spelled, or null, also if later characters combine with earlier ones", async () => {
  const rows = await db.sql<{ beginning: string | null; spelled: string }>(
    "select names.beginning(text) as beginning, left(names.spelled(text), 32) as spelled from unnest($1::text[]) text",
    [texts(2_000)],
  );
  const known = rows.filter(({ beginning }) => beginning !== null);
  expect(known.filter(({ beginning, spelled }) => beginning !== spelled)).toEqual([]);
  expect(known.length).toBeGreaterThan(400);
});

test.each([
  "The harbour office is open from nine to five. ",
  "Die Größe des Büros überrascht: zwölf Plätze – für fünf Mitarbeiter. ",
  "港の事務所は九時から五時まで開いています。",
  "Офис в гавани открыт с девяти до пяти. ",
  "항구 사무실은 아홉 시부터 다섯 시까지 엽니다. ",
])("names.beginning knows the beginning of a long text such as %s", async (sentence) => {
  const [row] = await db.sql("select names.beginning($1) as long, names.beginning(left($1, 200)) as short", [
    sentence.repeat(20),
  ]);
  expect(row?.long).toHaveLength(32);
  expect(row?.short).toBeNull();
});

/** @returns how often names.beginning was called to find the conflicts of the oldest memory, and their number */
async function compare(others: { kind: string; value: string }[]): Promise<{ calls: number; found: number }> {
  const { id } = await makeOrganisation(db);
  await db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', kind, 'Hours', value, 'member', 'test' from jsonb_to_recordset($2) other (kind text, value text)`,
    [id, JSON.stringify([{ kind: "policy", value: "Nine to five" }, ...others])],
  );
  const pool = db.adminPool({ max: 1 });
  const client = await pool.connect();
  try {
    await client.query("begin; set local track_functions = 'pl'");
    const { rows: found } = await client.query(
      `select conflict.id from (select * from app.memories where organisation_id = $1 order by id limit 1) memory
       cross join lateral rows.conflicting_memories(memory) conflict`,
      [id],
    );
    const { rows: calls } = await client.query(
      "select coalesce(pg_stat_get_xact_function_calls('names.beginning(text)'::regprocedure), 0)::integer as count",
    );
    return { calls: calls[0]?.count, found: found.length };
  } finally {
    await client.query("rollback");
    client.release();
    await pool.end();
  }
}

const many = (kind: (number: number) => string) =>
  Array.from({ length: 90 }, (_, number) => ({ kind: kind(number), value: `${number} to five` }));

test("a memory is compared with no more values than it names, and with its own once", async () => {
  expect(await compare(many(() => "policy"))).toEqual({ calls: 21, found: 20 });
});

test("no values of other kinds are compared", async () => {
  expect(await compare(many((number) => `policy ${number}`))).toEqual({ calls: 0, found: 0 });
});

test("long values are in conflict if they differ anywhere, and equal in another spelling", async () => {
  const long = "The harbour office is open from nine to five. ".repeat(40);
  const { id } = await makeOrganisation(db);
  const values = [long, long.toUpperCase(), `${long}!`, `A${long}`, long.replaceAll(" ", " – ")];
  await db.sql(
    `insert into app.memories (organisation_id, id, scope, kind, subject, value, provenance, source)
     select $1, uuidv7(make_interval(secs => place)), 'organisation', 'k', 's', value, 'member', 'test'
     from unnest($2::text[]) with ordinality listed (value, place)`,
    [id, values],
  );
  const rows = await db.sql<{ of: number; with: number[] }>(
    `select char_length(memory.value) as "of", array(
       select array_position($2::text[], other.value) from rows.conflicting_memories(memory) other order by 1
     ) as "with"
     from app.memories memory where organisation_id = $1 order by id`,
    [id, values],
  );
  expect(rows.map((row) => row.with)).toEqual([
    [3, 4],
    [3, 4],
    [1, 2, 4, 5],
    [1, 2, 3, 5],
    [3, 4],
  ]);
});
