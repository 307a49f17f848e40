/**
 * Lists of 10,000 rows: each page is loaded in less than 100 ms, and a table renders few rows. The best of the pages counts,
 * because other tests run beside this one. test/sql/plans*.test.ts has the plans of the other lists.
 */
import { makeKey } from "../support/database.ts";
import { multiply } from "../support/many-rows.ts";
import { operationCases, type PlanCases, testPlans } from "../support/plan-cases.ts";
import { logPlans } from "../support/plans.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;
const rows = 10_000;
const pages = 6;
const maxMs = 100;
const maxRendered = 200;

beforeAll(async () => {
  const { db } = here.office;
  const { who, endpoint, delivery, key, runs } = here.data;
  const [run] = await db.sql<{ conversation: string }>(
    "select conversation_id as conversation from app.runs where id = $1",
    [runs.queued],
  );
  ({ digest } = await makeKey(db, who.organisation.id, who.organisation.ownerId, "admin"));
  await multiply(
    db,
    {
      organisation: who.organisation.id,
      owner: who.organisation.ownerId,
      admin_key: key,
      bot: who.bot,
      conversation: run?.conversation ?? "",
      run: runs.completed,
      endpoint,
      test_delivery: delivery,
    },
    rows,
  );
  // The portal lists the approvals of its person.
  await db.sql(
    `begin;
     set local session_replication_role = replica;
     update app.approvals approval set person_id = '${who.organisation.ownerId}', proposal = real.proposal
     from app.approvals real where approval.proposal = '{}' and real.kind = 'memory' and real.proposal <> '{}';
     commit`,
  );
  await db.sql("vacuum analyze");
}, 120_000);

type Paged = { name: string; loaded: number; rendered: number; ms: number[] };

/** Loads the next pages of the table until it has this number of pages. In the page, because round trips of the test take longer. */
const loadPages = (index: number) => `(async () => {
  const part = () => document.querySelectorAll(".table-part")[${index}];
  const more = () => [...part().querySelectorAll(".table-foot button")].find(({ textContent }) => textContent === "Load more");
  const count = () => Number.parseInt(part().querySelector(".table-foot span").textContent.replaceAll(/\\D/g, ""), 10);
  const ms = [];
  while (more() && ms.length < ${pages}) {
    const before = count();
    const start = performance.now();
    more().click();
    while (count() === before) await new Promise((painted) => requestAnimationFrame(painted));
    ms.push(performance.now() - start);
  }
  return { name: part().querySelector("caption").textContent, loaded: count(), rendered: part().querySelectorAll("tbody tr").length, ms };
})()`;

let digest: Buffer;

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

/** Every list that can be longer than a page. */
const lists = [
  "API keys",
  "Approvals, newest first",
  "Audit log entries, newest first",
  "Bots",
  "Deliveries, newest first",
  "Endpoints",
  "Events, newest first",
  "Hooks",
  "Invitations",
  "Members",
  "Memories",
  "Routines",
  "Runs, newest first",
  "Steps, newest first",
];

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test(`every list of ${rows} rows loads a page in less than ${maxMs} ms, and renders few rows`, async () => {
  const paged: Paged[] = [];
  for (const path of new Set(Object.values(portalPagesOf(here.data)))) {
    await here.portal(async ({ page, open }) => {
      await open(path);
      const tables = await page.locator(".table-part").count();
      for (let index = 0; index < tables; index += 1) {
        const found = await page.evaluate<Paged>(loadPages(index));
        if (found.ms.length > 0) paged.push(found);
      }
    });
  }
  process.stdout.write(
    paged.map(({ name, ms }) => `${name}: ${Math.round(medianOf(ms))} ms (median of ${ms.length})\n`).join(""),
  );
  expect([...new Set(paged.map(({ name }) => name))].toSorted()).toEqual(lists);
  expect(paged.filter(({ ms }) => Math.min(...ms) >= maxMs)).toEqual([]);
  expect(paged.filter(({ rendered }) => rendered > maxRendered)).toEqual([]);
}, 180_000);

describe("plans", () => {
  beforeAll(() => logPlans(here.office.db));
  testPlans(() => here.office.db, plans);
});
