/**
 * The inventory notices a change in each table of pg_catalog. All faults are planted in one transaction, and found by one
 * query; then all remedies are executed, and a second query finds none of them.
 */
import type { PoolClient } from "pg";
import { auditedDatabase } from "../support/audited.ts";
import type { TestDatabase } from "../support/database.ts";
import { faultsOfCatalogues } from "./faults/catalogues.ts";

type Violation = { object: string; expected: string | null; actual: string | null; why: string; remedy: string };

const planted = Object.entries(faultsOfCatalogues).map(([title, [plant, object, noRemedy]]) => ({
  ...{ title, plant, object },
  hasRemedy: noRemedy === undefined,
}));
const catalogues = [...new Set(planted.map(({ title }) => title.split(":")[0]))];

let db: TestDatabase;
let client: PoolClient;
let found: Map<string, Violation>;
let left: Map<string, Violation>;
let week: string;

const violations = async () => {
  const { rows } = await client.query<Violation>(
    "select kind || ' ' || name as object, expected, actual, why, remedy from audit.violations_of_differences",
  );
  return new Map(rows.map((row) => [row.object, row]));
};

beforeAll(async () => {
  db = await auditedDatabase();
  client = await db.adminPool({ max: 1, options: "-c jit=off -c search_path=''" }).connect();
  await client.query("begin");
  const { rows } = await client.query(
    "select right(max(relname), 8) as week from pg_class where relname like 'events_20______'",
  );
  week = rows[0]?.week;
  for (const { plant } of planted) await client.query(inWeek(plant));
  found = await violations();
  // In reverse: an object is dropped before what it depends on.
  for (const { object, hasRemedy } of planted.toReversed()) {
    if (hasRemedy) await client.query(found.get(inWeek(object))?.remedy ?? "");
  }
  left = await violations();
  await client.query("rollback");
});

afterAll(async () => {
  client.release(true);
  await db.drop();
});

const inWeek = (text: string) => text.replaceAll(":week", week);

test.each(planted)("$title", ({ object, hasRemedy }) => {
  const named = inWeek(object);
  expect([...found.keys()]).toContain(named);
  const { expected, actual, why, remedy: statement } = found.get(named) as Violation;
  expect(expected ?? actual).toMatch(/./);
  expect([why, statement]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(hasRemedy ? /;$/ : /./)]);
  if (hasRemedy) expect([...left.keys()]).not.toContain(named);
});

test("each table of pg_catalog has a planted fault, or a reason to be left out", async () => {
  const tables = await db.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r'",
  );
  const uncovered = await db.sql<{ name: string; reason: string }>(
    "select name, reason from audit.uncovered_catalogues",
  );
  for (const { reason } of uncovered) expect(reason).toMatch(/^[A-Z].{10,}\.$|^[a-z]+\.sql .{10,}\.$/);
  expect([...catalogues, ...uncovered.map(({ name }) => name)].sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("each covered table of pg_catalog has a severity and says why a difference matters", async () => {
  const listed = await db.sql<{ name: string }>("select name from audit.catalogues order by name");
  expect(listed.map(({ name }) => name)).toEqual(catalogues.toSorted());
});

test("each column that only PostgreSQL can print is ignored, and printed as definition", async () => {
  expect(
    await db.sql(
      `select class.relname, attribute.attname
       from pg_attribute attribute
       join pg_class class on class.oid = attribute.attrelid
       join audit.catalogues covered on covered.name = class.relname
       left join audit.catalogue_columns known on known.name = class.relname
       where attribute.atttypid = 'pg_node_tree'::regtype and attribute.attname <> all (coalesce(known.ignored, '{}'))`,
    ),
  ).toEqual([]);
});

test("each ignored column exists", async () => {
  expect(
    await db.sql(
      `select known.name, each from audit.catalogue_columns known, unnest(known.ignored) each
       where (known.name::regclass, each) not in (select attrelid, attname from pg_attribute)`,
    ),
  ).toEqual([]);
});

test("the values of later columns in old rows may be gone, as after VACUUM FULL", async () => {
  await db.sql("vacuum full app.runs");
  const [{ values } = {}] = await db.sql(
    "select count(attmissingval)::int as values from pg_attribute where attrelid = 'app.runs'::regclass",
  );
  expect([values, await db.sql("select object from audit.differences")]).toEqual([0, []]);
});

test("a trigger on a table added by hand belongs to the finding of the table, and changes its digest", async () => {
  await db.sql("create table public.notes (text text)");
  const [before] = await db.sql("select object, parts, digest from audit.differences");
  expect(before).toMatchObject({ object: "table public.notes", parts: "1" });
  await db.sql("create trigger spy after insert on public.notes execute function triggers.tg_events__deliver()");
  const [after, ...more] = await db.sql("select object, parts, digest from audit.differences");
  expect([after?.object, after?.parts, more]).toEqual(["table public.notes", "2", []]);
  expect(after?.digest).not.toEqual(before?.digest);
});
