/**
 * By which plans the saved queries are carried out over an organisation that holds twenty thousand of everything that can
 * grow, with the statistics of ten million: none reads a table from one end to the other, and none reads many times what it shows.
 */
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { multiply } from "../support/many-rows.ts";
import { multiplyStatistics } from "../support/plans.ts";
import { type Asker, askerOf, type PlanNode, savedQueries } from "../support/saved-queries.ts";
import { cases, goWrong } from "./cases.ts";

/** What grows with use, and not with what an organisation may hold. */
const growing = [
  "runs",
  "steps",
  "messages",
  "memories",
  "approvals",
  "conversations",
  "mails",
  "people",
  "idempotency_records",
  "request_minutes",
  "erasures",
  "operator_acts",
  "third_party_restriction_changes",
]; // and all in schema partitions

let db: TestDatabase;
let asker: Asker;
let seeded: Seeded;

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  seeded = await seedOrganisation(db);
  await goWrong(db, seeded.ids);
  await multiply(db, seeded.ids, 20_000, 10);
  await db.sql("vacuum analyze"); // which is when the latest pages are summarised too
  await multiplyStatistics(db, { rows: 500, organisations: 200, endpoints: 1_000 });
  asker = await askerOf(db, true);
}, 60_000);

afterAll(async () => {
  await asker.end();
  await db.drop();
});

type Read = { table: string; by: string; rows: number };

function readsOf(nodes: PlanNode[], table = ""): Read[] {
  return nodes.flatMap((node) => {
    const relation = node["Relation Name"] ?? table;
    const index = node["Index Name"];
    const further = readsOf(node.Plans ?? [], node["Node Type"] === "Bitmap Heap Scan" ? relation : "");
    if (node["Node Type"] === "Bitmap Index Scan" || (!index && !node["Relation Name"])) return further;
    const seen =
      node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    return [{ table: relation, by: index ?? node["Node Type"], rows: seen * node["Actual Loops"] }, ...further];
  });
}

/** Rows that a query may look at, where it shows a hundred at most; others say why they look at more. */
const most: Record<string, number> = {
  troubles: 5_000, // of the waiting runs a thousand, of the endpoints with something due a thousand, and ceilings
  queues: 1_100, // counted up to a thousand
  "run-series": 5_000, // whatever there was in the span, and the rest of its pages
  "delivery-series": 9_000,
  // An id alone leads to the 32 pages, at most, of its time.
  delivery: 4_000,
  run: 3_000,
  search: 9_000, // eight such tables
  request: 3_000,
  // All that is open, which is what an organisation may start in the hours that it waits.
  "organisation-open-runs": 21_000,
  organisation: 21_000,
};

test("search looks an id up in indexes that begin with it: through one that begins with organisations it would ask each", async () => {
  const { plans } = await asker.ask(savedQueries.search ?? "", cases.search?.(seeded.ids).asked ?? {});
  const used = [...new Set(readsOf(plans).map(({ by }) => by))];
  const found = await db.sql<{ name: string; first: string }>(
    `select class.relname as name, first.attname as first
     from pg_index index
     join pg_class class on class.oid = index.indexrelid
     join pg_attribute first on first.attrelid = index.indrelid and first.attnum = index.indkey[0]
     where class.relname = any ($1)
     -- In a week that has only begun, as on a Monday, one index is as good as another.
     and not (class.relnamespace = 'partitions'::regnamespace and pg_relation_size(index.indrelid) < 100 * 8192)`,
    [used],
  );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ first }) => first === "organisation_id")).toEqual([]);
});

test.each(Object.keys(savedQueries))("%s reads what it shows by indexes", async (name) => {
  const { asked = {} } = cases[name]?.(seeded.ids) ?? {};
  const { plans, errors } = await asker.ask(savedQueries[name] ?? "", {
    organisation: seeded.ids.organisation,
    first: 100,
    ...asked,
  });
  expect(errors).toEqual([]);
  const reads = readsOf(plans);
  expect(reads).not.toEqual([]);
  const fromEndToEnd = reads.filter(
    ({ table, by, rows }) => by === "Seq Scan" && rows > 0 && (growing.includes(table) || /_\d{8}$/.test(table)),
  );
  expect(fromEndToEnd).toEqual([]);
  const rows = reads.reduce((sum, read) => sum + read.rows, 0);
  expect({ rows, above: rows > (most[name] ?? 700) ? reads.filter((read) => read.rows > 50) : [] }).toEqual({
    rows,
    above: [],
  });
});
