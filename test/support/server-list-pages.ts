/** Pages of the console's lists with many rows: in every order, after a cursor, in a range of times, and without a match. */
import type { GraphQLSchema } from "graphql";
import type { Seeded } from "../sql/seed.ts";
import type { TestDatabase } from "./database.ts";
import { multiply } from "./many-rows.ts";
import { filtersOf, ordersOf } from "./server-lists.ts";

/** Gives each list of the console this many rows. */
export async function fillServerLists(db: TestDatabase, { ids }: Seeded, rows: number): Promise<void> {
  await multiply(db, ids, rows);
  await db.sql(
    `insert into app.organisations (id, name)
     select uuidv7(-number * interval '1 minute'), 'Organisation ' || number from generate_series(1, $1) number`,
    [rows],
  );
  await db.sql("vacuum analyze");
}

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/**
 * Variables of the requests for a page, by name.
 *
 * @param endCursor of the list's first page
 */
export function pagesOfList(
  schema: GraphQLSchema,
  list: string,
  endCursor: string,
): [name: string, variables: object][] {
  const orders = ordersOf(schema, list);
  return [
    ["newest first", {}],
    ...orders.map((order): [string, object] => [order, { orderBy: [order] }]),
    ["after a cursor", { after: endCursor }],
    ["range", { condition: { since: ago(10), until: ago(5) } }],
    ...(filtersOf(schema, list).includes("contains")
      ? [["no match", { condition: { contains: "no row has this" } }] as [string, object]]
      : []),
  ];
}
