/** What does not load: programs of pages, data of pages, the session, and a page that throws. Each says so, with "Try again". */
import type { Page, Route } from "playwright-core";
import { openContext } from "../support/browser.ts";
import { changePage, clickUnlessShown, seen } from "../support/page-change.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { fillLists } from "../support/portal-lists.ts";
import { openPortal, portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

const abort = (route: Route) => route.abort();
const programOfKeys = /\/front\/assets\/keys-[^/]*\.js$/;
const heading = (page: Page, name: string) => seen(page.getByRole("heading", { level: 1, name }));
const retry = (page: Page) => page.getByRole("main").getByRole("button", { name: "Try again" });
const toKeys = (page: Page) => page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
/** The other pages have only texts of the program. */
const pagesWithData = () =>
  Object.entries(portalPagesOf(here.data)).filter(([name]) => !["event-kinds", "memories-import"].includes(name));
/** Counts the documents that the tab loads. */
function documentsOf(page: Page): () => number {
  let documents = 0;
  page.on("domcontentloaded", () => {
    documents += 1;
  });
  return () => documents;
}

test("a page whose program does not load says so, and loads by Try again or when it is opened again", () =>
  here.portal(async ({ page, context }) => {
    await context.setOffline(true);
    await toKeys(page);
    await heading(page, "This page did not load");
    expect(await page.getByRole("alert").innerText()).toContain("The service cannot be reached.");
    const attempt = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/portal/keys"));
    await retry(page).click();
    await attempt;
    await heading(page, "This page did not load");
    await context.setOffline(false);
    await clickUnlessShown(retry(page), page.getByRole("heading", { level: 1, name: "API keys" }));
    await heading(page, "API keys");

    await context.setOffline(true);
    await page.getByRole("navigation").getByRole("link", { name: "Bots" }).click();
    await heading(page, "This page did not load");
    await context.setOffline(false);
    await toKeys(page);
    await heading(page, "API keys");
    await page.getByRole("navigation").getByRole("link", { name: "Bots" }).click();
    await heading(page, "Bots");
  }));

test("a program that is missing after a deployment reloads the page once", () =>
  here.portal(async ({ page }) => {
    const documents = documentsOf(page);
    await page.route(programOfKeys, (route) => route.fulfill({ status: 404 }));
    // The same program at another address, as after a deployment.
    await page.route("**/portal/keys", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/(\/portal-[^"]*\.js)"/, '$1?new"'),
      });
    });
    await toKeys(page);
    await heading(page, "This page did not load");
    expect(documents()).toBe(1);
    expect(await page.getByRole("alert").innerText()).toContain("A part of the program did not load.");
    await page.unroute(programOfKeys);
    await retry(page).click();
    await heading(page, "API keys");
  }));

test("a missing program of the present build reloads nothing", () =>
  here.portal(async ({ page }) => {
    const documents = documentsOf(page);
    await page.route(programOfKeys, (route) => route.fulfill({ status: 404 }));
    await toKeys(page);
    await heading(page, "This page did not load");
    expect(documents()).toBe(0);
  }));

test("each page whose data does not load has Try again at each failure, which loads it", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/events/kinds");
    const wrong: string[] = [];
    for (const [name, path] of pagesWithData()) {
      await page.route("**/api/v1/**", abort);
      await changePage(page, path);
      await eventually(async () => (await page.locator("main .loading").count()) === 0);
      const alerts = await page.locator("main [role=alert]").count();
      if (alerts === 0 || (await retry(page).count()) !== alerts) wrong.push(`${name}: ${alerts} failures`);
      await page.unroute("**/api/v1/**");
      // A part that depends on another part shows its failure afterwards.
      for (let rounds = 0; rounds < 3 && (await retry(page).count()) > 0; rounds += 1) {
        await retry(page).first().click();
        await settled(page);
      }
      if ((await page.locator("main [role=alert]").count()) > 0) wrong.push(`${name}: still fails`);
    }
    expect(wrong).toEqual([]);
  }));

test("a next page of a list that does not load can be tried again, and keeps the loaded rows", () =>
  here.portal(async ({ page, open }) => {
    await fillLists(here.office.db, here.data, 150);
    await open("/portal/hooks");
    await page.route("**/api/v1/hooks?*", abort);
    await page.getByRole("button", { name: "Load more" }).click();
    await seen(retry(page));
    expect(await page.locator("tbody tr").count()).toBe(100);
    await page.unroute("**/api/v1/hooks?*");
    await retry(page).click();
    await seen(page.getByText("151 rows", { exact: true }));
  }));

test("a page that throws keeps the navigation, and works again by Try again", async () => {
  const tab = await openPortal(here.chromium.browser, { url: here.office.api.url, who: here.data.who });
  const { page } = tab;
  await page.route("**/api/v1/keys?*", (route) => route.fulfill({ json: { data: [null] } }));
  await toKeys(page);
  await heading(page, "This page failed");
  await page.unroute("**/api/v1/keys?*");
  await retry(page).click();
  await heading(page, "API keys");
  await page.route("**/api/v1/bots?*", (route) => route.fulfill({ json: { data: [null] } }));
  await page.getByRole("navigation").getByRole("link", { name: "Bots" }).click();
  await heading(page, "This page failed");
  await toKeys(page);
  await heading(page, "API keys");
  await tab.close();
});

test("a portal whose session does not load has Try again, also for a link that was not exchanged yet", async () => {
  const { url } = here.office.api;
  const link = new URL((await here.data.who.ask("POST", "/portal-sessions", {})).body.url);
  const context = await openContext(here.chromium.browser);
  const page = await context.newPage();
  await page.route("**/portal/enter", abort);
  await page.goto(url + link.pathname + link.hash);
  await seen(retry(page));
  await page.unroute("**/portal/enter");
  await retry(page).click();
  await heading(page, "Overview");
  await context.close();
});

test("a program that is missing or does not arrive is said by the document, whose Try again keeps the link", async () => {
  const { url } = here.office.api;
  const program = /\/front\/assets\/portal-[^/]*\.js$/;
  for (const fail of [(route: Route) => route.fulfill({ status: 404 }), abort]) {
    const link = new URL((await here.data.who.ask("POST", "/portal-sessions", {})).body.url);
    const context = await openContext(here.chromium.browser);
    const page = await context.newPage();
    await page.route(program, fail);
    await page.goto(url + link.pathname + link.hash);
    await heading(page, "This page did not load");
    expect(await page.evaluate("document.activeElement.localName")).toBe("h1");
    await page.unroute(program);
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "Overview");
    await context.close();
  }
});

test("after Try again the focus is on the button, or on a heading of what has loaded", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/events/kinds");
    const lost: string[] = [];
    for (const [name, path] of pagesWithData()) {
      await page.route("**/api/v1/**", abort);
      await changePage(page, path);
      await seen(retry(page));
      await page.unroute("**/api/v1/**");
      await retry(page).first().focus();
      await page.keyboard.press("Enter");
      await settled(page);
      if (await page.evaluate("document.activeElement === document.body")) lost.push(name);
    }
    expect(lost).toEqual([]);
  }));
