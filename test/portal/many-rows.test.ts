/**
 * Lists of 10,000 rows: a page is one request, reads few rows by index, and a table renders few rows.
 * `npm run bench -- lists` measures the time of a page. test/sql/plans*.test.ts has the plans of the other lists.
 */
import { makeKey } from "../support/database.ts";
import { operationCases, type PlanCases, testPlans } from "../support/plan-cases.ts";
import { logPlans } from "../support/plans.ts";
import { fillLists, longLists, pageLists } from "../support/portal-lists.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile(undefined, { own: true });
const { test } = here.chromium;
const rows = 10_000;
const pages = 5;
const maxRendered = 200;
let digest: Buffer;

beforeAll(async () => {
  const { id, ownerId } = here.data.who.organisation;
  ({ digest } = await makeKey(here.office.db, id, ownerId, "admin"));
  await fillLists(here.office.db, here.data, rows);
});

const calls = operationCases(() => digest);
const page = 51; // rows of a page, and one more
/** The indexes of each list, and the maximum of rows read: a page once or more, and the caller. */
const firstPages: [operation: string, table: string, indexes: string[], rows: number][] = [
  ["list_webhooks", "webhook_endpoints", ["webhook_endpoints_by_id"], page],
  ["list_keys", "api_keys", ["api_keys_by_id", "api_keys_by_digest"], 3 * page + 1],
  ["list_approvals", "approvals", ["approvals_by_id"], page],
  ["list_bots", "bots", ["bots_by_id"], page],
  ["list_routines", "routines", ["routines_by_id"], page],
  ["list_hooks", "hooks", ["hooks_by_address"], page],
  ["list_members", "memberships", ["memberships_by_id", "memberships_by_person"], 2 * page + 1],
  ["list_invitations", "invitations", ["invitations_by_id"], 2 * page],
];
const plans: PlanCases = Object.fromEntries(
  firstPages.map(([operation, table, indexes, rows]) => [
    `the first page of ${operation}`,
    () => ({
      ...calls(
        operation,
        () => ({ status: "open" }),
        Object.fromEntries(indexes.map((index) => [`${table} by ${index}`, 1])),
        rows,
      )(),
      tables: [table],
    }),
  ]),
);

test(`every list of ${rows} rows loads each page by one request, and renders few rows`, () =>
  here.portal(async (tab) => {
    const lists = await pageLists(tab, here.data, pages);
    expect([...new Set(lists.map(({ name }) => name))].toSorted()).toEqual(longLists);
    expect(lists.filter(({ ms, requests }) => requests !== pages || ms.length !== pages)).toEqual([]);
    expect(lists.filter(({ loaded, rendered }) => loaded < 50 * pages || rendered > maxRendered)).toEqual([]);
  }));

describe("plans", () => {
  beforeAll(() => logPlans(here.office.db));
  testPlans(() => here.office.db, plans);
});
