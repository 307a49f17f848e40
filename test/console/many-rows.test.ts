/**
 * Lists of 10,000 rows: a page is read by one statement that reads each row of the list once at most; without an order
 * and after a cursor it reads few rows. `npm run bench -- lists` measures the time of a page.
 */
import { savedQueries } from "../support/saved-queries.ts";
import { fillServerLists, pagesOfList } from "../support/server-list-pages.ts";
import { rowsOf, serverLists } from "../support/server-lists.ts";
import { readsOf } from "./reads.ts";
import { seededConsoleOfFile } from "./seeded.ts";

const rows = 10_000;

const here = seededConsoleOfFile(({ db, seeded }) => fillServerLists(db, seeded, rows), true);

/** A page, one row more, and up to two related rows for each. */
const maxOfPage = 3 * 51;
/** Each row of the list and a related row, with a quarter more for rows of other kinds. */
const maxOfOrder = 2.25 * rows;
/** Requests that an index answers in the order of the list. */
const isByIndex = (name: string) => !/_(ASC|DESC)$|^no match$/.test(name) || name.startsWith("PRIMARY_KEY");

test.each(serverLists)("a page of %s is one statement that reads few rows, or sorts each row once", async (list) => {
  const { organisation, endpoint } = here.seeded.ids;
  const read = async (variables: object) => {
    const answer = await here.asker.ask(savedQueries[list] ?? "", { organisation, endpoint, first: 50, ...variables });
    expect(answer.errors).toEqual([]);
    return answer;
  };
  const { endCursor } = rowsOf((await read({})).data).pageInfo;
  const above: object[] = [];
  for (const [name, variables] of pagesOfList(here.asker.schema, list, endCursor)) {
    const { data, plans, statements } = await read(variables);
    const rowsRead = readsOf(plans).reduce((sum, each) => sum + each.rows, 0);
    const isAbove = rowsRead > (isByIndex(name) ? maxOfPage : maxOfOrder);
    if (isAbove || statements.length !== 1 || rowsOf(data).nodes.length > 50)
      above.push({ name, rowsRead, statements: statements.length });
  }
  expect(above).toEqual([]);
});
