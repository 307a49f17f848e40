/** Long lists of rows of different heights: the page comes to rest at every scroll position, and has no gap. */

import type { Page } from "playwright-core";
import { phone } from "../support/browser.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { fillLists, longLists, mixHeights } from "../support/portal-lists.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { loadRows, type ScrolledList, scrollThrough } from "../support/still-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { own: true });
const { test } = here.chromium;
const rows = 3_000;
/**
 * The lists are one component, which gets many rows on one page. Columns differ, so each other list is longer than what is
 * rendered, which is 80 rows at each position.
 */
const extentOn = (path: string) => (path === "/portal/runs" ? { rows, positions: 24 } : { rows: 500, positions: 8 });

beforeAll(async () => {
  await fillLists(here.office.db, here.data, rows + 50);
  await mixHeights(here.office.db, here.data.who.organisation.id, rows + 50);
});

test("every long list with rows of different heights is still and without gaps at each scroll position", () =>
  here.portal(async ({ page, open }) => {
    const lists: (ScrolledList & { expected: number })[] = [];
    for (const path of new Set(Object.values(portalPagesOf(here.data)))) {
      await open(path);
      const extent = extentOn(path);
      const found = await scrollThrough(page, extent.rows, extent.positions);
      lists.push(...found.map((list) => ({ ...list, expected: extent.rows })));
      const [list] = found;
      if (!list || found.length > 1) continue;
      await loadRows(page, list.rows + 1);
      await gone(page.getByText(`${list.rows.toLocaleString("en-US")} rows`));
    }
    expect([...new Set(lists.map(({ name }) => name))].toSorted()).toEqual(longLists);
    expect(lists.filter((list) => list.faults.length > 0 || list.rows < list.expected)).toEqual([]);
    expect(lists.filter((list) => list.rows >= rows)).not.toEqual([]);
  }));

const rendered = (page: Page) => page.locator("tr[data-index]").count();

test("a row with the focus stays while the list scrolls, and Tab continues at the next row", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/runs");
    await loadRows(page, 400);
    const linkOf = (index: number) => page.locator(`tr[data-index="${index}"] a`);
    await page.evaluate("scrollTo(0, 0)");
    await linkOf(3).focus();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)");
    await seen(linkOf(200));
    const focused = () => page.evaluate("document.activeElement.closest('tr')?.dataset.index");
    expect(await focused()).toBe("3");
    expect(await linkOf(20).count()).toBe(0);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("4");
    await seen(linkOf(20));
  }));

test("a list of 200 rows is in the document, and a longer one is while it is printed", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/runs");
    await loadRows(page, 200);
    expect(await rendered(page)).toBe(200);
    await loadRows(page, 400);
    expect(await rendered(page)).toBeLessThan(200);
    const printed = page.evaluate(`new Promise((done) => addEventListener("afterprint", () => done(printedRows)))`);
    await page.evaluate(`matchMedia("print").addEventListener("change", ({ matches }) => {
      if (matches) globalThis.printedRows = document.querySelectorAll("tr[data-index]").length;
    })`);
    await page.pdf();
    expect(await printed).toBe(400);
    await eventually(async () => (await rendered(page)) < 200);
  }));

test("a long list is still on a phone, and after its width has changed", () =>
  here.portal(
    async ({ page, open }) => {
      await open("/portal/runs");
      const [list] = await scrollThrough(page, 600, 40);
      expect(list?.faults).toEqual([]);
      await page.setViewportSize({ width: 844, height: 390 });
      const [turned] = await scrollThrough(page, 700, 40);
      expect(turned?.faults).toEqual([]);
    },
    { options: phone },
  ));
