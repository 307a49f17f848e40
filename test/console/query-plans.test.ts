/**
 * Plans of the saved queries, for an organisation with 20,000 rows per growing table and statistics as for ten million.
 * No query scans a growing table or reads many times the rows that it returns.
 */
import { multiply } from "../support/many-rows.ts";
import { multiplyStatistics } from "../support/plans.ts";
import { savedQueries } from "../support/saved-queries.ts";
import { serverLists } from "../support/server-lists.ts";
import { addFailures, cases } from "./cases.ts";
import { readsOf } from "./reads.ts";
import { seededConsoleOfFile } from "./seeded.ts";

/** Tables that grow with use and have no limit per organisation. */
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
  "operator_actions",
  "third_party_restriction_changes",
]; // and all tables of schema partitions

const here = seededConsoleOfFile(async ({ db, seeded }) => {
  await addFailures(db, seeded.ids);
  await multiply(db, seeded.ids, 20_000, 10);
  await db.sql("vacuum analyze"); // also summarises the latest pages for BRIN indexes
  await multiplyStatistics(db, { rows: 500, organisations: 2_000, endpoints: 1_000 });
}, true);

/** Maximum of rows that a query reads. The default is 700; others say why they read more. */
const maxRows: Record<string, number> = {
  // 1,000 waiting runs, 1,000 endpoints with due deliveries, and limits.
  issues: 5_000,
  queues: 1_100, // counts up to 1,000
  "run-series": 5_000, // rows of the span, and the rest of their pages
  "delivery-series": 9_000,
  // BRIN: an id leads to at most 32 pages.
  delivery: 4_000,
  run: 3_000,
  search: 9_000, // eight tables by id
  request: 3_000,
  // All open runs; the hourly limit bounds their number.
  organisation: 21_000,
};

test("search uses indexes that start with the id, not with organisation_id", async () => {
  const { plans } = await here.asker.ask(savedQueries.search ?? "", cases.search?.(here.seeded.ids).variables ?? {});
  const used = [...new Set(readsOf(plans).map(({ by }) => by))];
  const found = await here.db.sql<{ name: string; first: string }>(
    `select class.relname as name, first.attname as first
     from pg_index index
     join pg_class class on class.oid = index.indexrelid
     join pg_attribute first on first.attrelid = index.indrelid and first.attnum = index.indkey[0]
     where class.relname = any ($1)
     -- In a small partition, as on a Monday, the planner may choose any index.
     and not (class.relnamespace = 'partitions'::regnamespace and pg_relation_size(index.indrelid) < 100 * 8192)`,
    [used],
  );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ first }) => first === "organisation_id")).toEqual([]);
});

test("search by the start of a name reads people by its indexes", async () => {
  const { plans } = await here.asker.ask(savedQueries.search ?? "", { query: "olga" });
  const people = readsOf(plans).filter(({ table }) => table === "people");
  expect(people.map(({ by }) => by).toSorted()).toEqual(["people_by_start_of_last_name", "people_by_start_of_name"]);
});

test("search by the start of an address reads by its index", async () => {
  const { plans, data } = await here.asker.ask(savedQueries.search ?? "", { query: "own@" });
  expect(data.search).toEqual([]);
  expect(
    readsOf(plans)
      .filter(({ table }) => table === "people")
      .map(({ by }) => by),
  ).toContain("people_by_start_of_address");
});

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test.each(serverLists)("%s with a range of times reads only rows of the range, by index", async (name) => {
  const { organisation, endpoint } = here.seeded.ids;
  const condition = { since: ago(2), until: ago(1.9) };
  const { plans, errors } = await here.asker.ask(savedQueries[name] ?? "", {
    organisation,
    endpoint,
    first: 100,
    condition,
  });
  expect(errors).toEqual([]);
  const reads = readsOf(plans);
  expect(reads.filter(({ table, by, rows }) => by === "Seq Scan" && rows > 0 && growing.includes(table))).toEqual([]);
  expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(1_000);
});

test.each(Object.keys(savedQueries))("%s reads by index and within its row limit", async (name) => {
  const { variables = {} } = cases[name]?.(here.seeded.ids) ?? {};
  const { plans, errors } = await here.asker.ask(savedQueries[name] ?? "", {
    organisation: here.seeded.ids.organisation,
    first: 100,
    ...variables,
  });
  expect(errors).toEqual([]);
  const reads = readsOf(plans);
  expect(reads).not.toEqual([]);
  const fullScans = reads.filter(
    ({ table, by, rows }) => by === "Seq Scan" && rows > 0 && (growing.includes(table) || /_\d{8}$/.test(table)),
  );
  expect(fullScans).toEqual([]);
  const rows = reads.reduce((sum, read) => sum + read.rows, 0);
  expect({ rows, above: rows > (maxRows[name] ?? 700) ? reads.filter((read) => read.rows > 50) : [] }).toEqual({
    rows,
    above: [],
  });
});
