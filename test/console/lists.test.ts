/**
 * Sorting, filtering and paging of lists by the server. Each order of each list returns every row once, and each filter
 * only the rows with its value. Orders and filters come from the schema, so that a new one is tested too.
 */
import { multiply } from "../support/many-rows.ts";
import { setOldUrl } from "../support/old-urls.ts";
import { savedQueries } from "../support/saved-queries.ts";
import { filtersOf, serverLists as lists, type Node, ordersOf, type Rows, rowsOf } from "../support/server-lists.ts";
import { addFailures } from "./cases.ts";
import { seededConsoleOfFile } from "./seeded.ts";

const here = seededConsoleOfFile(async ({ db, seeded }) => {
  await addFailures(db, seeded.ids);
  await multiply(db, seeded.ids, 40);
});

async function page(list: string, variables: object): Promise<Rows> {
  const { organisation, endpoint } = here.seeded.ids;
  const { data, errors, statements } = await here.asker.ask(savedQueries[list] ?? "", {
    organisation,
    endpoint,
    ...variables,
  });
  expect(errors).toEqual([]);
  expect(statements).toHaveLength(1);
  return rowsOf(data);
}

async function all(list: string, variables: object = {}): Promise<Node[]> {
  const rows: Node[] = [];
  let after: string | undefined;
  for (;;) {
    const { nodes, pageInfo } = await page(list, { first: 25, after, ...variables });
    rows.push(...nodes);
    if (!pageInfo.hasNextPage) return rows;
    after = pageInfo.endCursor;
  }
}

const ids = (rows: Node[]) => rows.map(({ id }) => id);
const camelCase = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

test.each(lists)("%s returns each row once in every order, missing values last", async (list) => {
  const expected = ids(await all(list)).toSorted();
  expect(expected.length).toBeGreaterThan(list === "organisations" ? 0 : 1);
  const orders = ordersOf(here.asker.schema, list);
  for (const order of orders) {
    const rows = await all(list, { orderBy: [order] });
    expect([order, ids(rows).toSorted()]).toEqual([order, expected]);
    const [, name = "", direction] = /^(.*)_(ASC|DESC)$/.exec(order) ?? [];
    const values = rows.map((row) => row[name === "PRIMARY_KEY" ? "id" : camelCase(name)]);
    const present = values.filter((value) => value !== null && value !== undefined);
    expect([order, values.slice(present.length).filter((value) => value != null)]).toEqual([order, []]);
    if (name === "PRIMARY_KEY" || present.every((value) => typeof value === "number")) {
      const sorted = present.toSorted((one, other) =>
        (one as number) < (other as number) ? -1 : one === other ? 0 : 1,
      );
      expect([order, present]).toEqual([order, direction === "ASC" ? sorted : sorted.reverse()]);
    }
  }
});

test.each(lists)("%s with a filter returns the rows with this value only", async (list) => {
  const rows = await all(list);
  const fields = filtersOf(here.asker.schema, list);
  for (const field of fields.filter((name) => !["since", "until", "contains"].includes(name))) {
    const values = new Set(rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined));
    for (const value of values) {
      const found = await all(list, { condition: { [field]: value } });
      const expected = rows.filter((row) => row[field] === value);
      expect([field, value, ids(found)]).toEqual([field, value, ids(expected)]);
    }
  }
});

test.each(lists)("%s with a range of times returns the rows of the range only", async (list) => {
  const rows = await all(list, { orderBy: ["PRIMARY_KEY_ASC"] });
  const middle = rows[Math.floor(rows.length / 2)] ?? rows[0];
  const time = Number.parseInt((middle?.id ?? "").replaceAll("-", "").slice(0, 12), 16); // of a UUIDv7
  const since = new Date(time).toISOString();
  const later = await all(list, { condition: { since }, orderBy: ["PRIMARY_KEY_ASC"] });
  const earlier = await all(list, { condition: { until: since }, orderBy: ["PRIMARY_KEY_ASC"] });
  expect(ids([...earlier, ...later])).toEqual(ids(rows));
  expect(ids(later)).toContain(middle?.id);
  expect(await all(list, { condition: { since: "2100-01-01T00:00:00Z" } })).toEqual([]);
});

test.each([
  ["organisation-members", "email"],
  ["organisation-keys", "prefix"],
  ["organisation-endpoints", "host"],
  ["organisation-mails", "recipient"],
  ["organisation-runs", "error"],
  ["mails", "recipient"],
])("%s with a text returns the rows that contain it, in any case", async (list, field) => {
  const rows = await all(list);
  const value = String(rows.find((row) => row[field])?.[field]);
  const found = await all(list, { condition: { contains: value.slice(1, -1).toUpperCase() } });
  const contains = (row: Node) => String(row[field] ?? "").includes(value.slice(1, -1));
  expect(found.length).toBeLessThan(rows.length);
  expect(ids(found)).toEqual(ids(rows.filter(contains)));
  expect(ids(found)).toContain(rows.find((row) => row[field] === value)?.id);
});

test("a range that is no time is refused", async () => {
  const { errors } = await here.asker.ask(savedQueries.mails ?? "", { condition: { since: "yesterday" } });
  expect(errors).toEqual(["since and until are times such as 2026-01-31T09:00:00Z"]);
});

test("a text is compared literally, without patterns", async () => {
  for (const contains of ["%", "_", "\\", "'"]) {
    expect(await all("organisation-members", { condition: { contains: `${contains}zz` } })).toEqual([]);
  }
});

test.each([
  ["https://receiver.example/hooks/orders?token=1", "hooks/orders"],
  ["https://receiver.example/v1/in-bound/", "v1/in-bound"],
  ["https://receiver.example/services/T0AB/B0CD/xYz", "services/…/…/…"],
  ["https://receiver.example/3f9a2c/orders", "…/orders"],
  ["https://user:word@receiver.example//words\\Secret9#fragment", "words/…"],
  ["https://receiver.example/?word", null],
  ["https://receiver.example", null],
])("the path of the endpoint %s is shown as %s", async (url, path) => {
  await setOldUrl(here.db, here.seeded.ids.endpoint ?? "", url);
  const [endpoint] = (await all("organisation-endpoints")).filter(({ id }) => id === here.seeded.ids.endpoint);
  expect(endpoint?.path).toBe(path);
});
