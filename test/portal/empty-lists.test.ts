/** Lists without rows say what they are for and how to start, and have no filters. A filter searches all rows. */

import { seen } from "../support/page-change.ts";
import { fillLists } from "../support/portal-lists.ts";
import { openPortal, portalOfFile, settled } from "../support/portal-page.ts";
import { customer } from "../support/post-office.ts";

const here = portalOfFile();
const { test } = here.chromium;

/** Pages, and the button that starts each list. Bots create approvals, and the service events. */
const lists: [path: string, start?: string][] = [
  ["/portal/endpoints", "Create an endpoint…"],
  ["/portal/runs", "Start a run…"],
  ["/portal/bots", "Create a bot…"],
  ["/portal/memories", "Create a memory…"],
  ["/portal/routines", "Create a routine…"],
  ["/portal/hooks", "Create a hook…"],
  ["/portal/keys", "Create a key…"],
  ["/portal/members", "Invite a person…"],
  ["/portal/approvals"],
];

test("an empty list says what it is for, has one button that starts it, and no filters", async () => {
  const who = await customer(here.office);
  const { sql } = here.office.db;
  await sql("delete from app.bots where organisation_id = $1", [who.organisation.id]);
  const tab = await openPortal(here.chromium.browser, { url: here.office.api.url, who });
  // The API key opened the session, so that the person always has one.
  await tab.page.route("**/api/v1/keys?*", (route) => route.fulfill({ json: { data: [], nextCursor: null } }));
  const { page } = tab;
  const wrong: string[] = [];
  for (const [path, start] of lists) {
    await tab.go(path);
    const empty = page.locator("main .empty");
    if ((await empty.locator("p").count()) !== 2) wrong.push(`${path}: no purpose`);
    if ((await page.locator("main search").count()) > 0) wrong.push(`${path}: has filters`);
    if (!start) continue;
    await empty.getByRole("button", { name: start, exact: true }).click();
    await seen(page.getByRole("dialog"));
    await page.keyboard.press("Escape");
    if ((await page.getByRole("button", { name: start, exact: true }).count()) !== 1)
      wrong.push(`${path}: two buttons`);
  }
  await tab.close();
  expect(wrong).toEqual([]);
});

test("a chart without any value says so, and draws no axes", async () => {
  const who = await customer(here.office);
  const tab = await openPortal(here.chromium.browser, { url: here.office.api.url, who });
  const title = { hasText: "Runs started per hour" };
  const runs = tab.page.locator("figure", title);
  await seen(runs.getByText("Nothing in this time."));
  expect(await runs.locator("canvas").count()).toBe(0);
  expect(await runs.locator("tbody tr").count()).toBe(24);
  await tab.close();
  await here.portal(({ page }) => seen(page.locator("figure", title).locator("canvas")));
});

test("a filter that finds nothing keeps the filters, and a list with more rows than loaded has no filter of loaded rows", () =>
  here.portal(async ({ page, open }) => {
    await fillLists(here.office.db, here.data, 150);
    await open("/portal/runs?state=paused_limit");
    await seen(page.getByText("No run matches the filters."));
    await seen(page.getByRole("button", { name: "Filters (1)" }));
    await page.getByRole("button", { name: "Clear filters" }).click();
    await settled(page);
    await seen(page.getByText("100 rows loaded"));
    await open("/portal/bots");
    await seen(page.getByText("100 rows loaded"));
    const filter = page.getByRole("searchbox", { name: "Filter: Bots" });
    expect(await filter.count()).toBe(0);
    await page.getByRole("button", { name: "Load more" }).click();
    await seen(filter);
  }));

test("an endpoint without deliveries has a button that sends a test, or a link to the events", async () => {
  const who = await customer(here.office);
  const { ask } = who;
  const { id } = (await ask("POST", "/webhooks", { url: "https://mole.harbour.example/", events: ["run.finished"] }))
    .body;
  const tab = await openPortal(here.chromium.browser, { url: here.office.api.url, who });
  const empty = tab.page.locator("main .empty");
  await tab.go(`/portal/endpoints/${id}`);
  await seen(empty.getByRole("button", { name: "Send a test" }));
  await ask("PATCH", `/webhooks/${id}`, { state: "paused" });
  await seen(empty.getByRole("link", { name: "Show the events" })); // the page refreshes
  await ask("PATCH", `/webhooks/${id}`, { state: "active" });
  await empty.getByRole("button", { name: "Send a test" }).click();
  await seen(tab.page.getByRole("table", { name: /Deliveries/ }).getByRole("link", { name: "webhook.test" }));
  await tab.close();
});
