/**
 * Opens each dialog of a page by the keyboard: it presses every button of the page's content. The dialogs are found, not
 * listed, so a new one is walked too. The label of a button that opens a dialog ends with "…".
 */
import type { Page } from "playwright-core";
import { rulesOfColours, violationsOf } from "./axe.ts";
import { laptop, phone } from "./console-page.ts";
import { openMenuOf } from "./menu.ts";
import { painted } from "./page-change.ts";
import { nothing, walk } from "./page-walk.ts";
import { eventually } from "./worker.ts";

/** Heads of columns are left out: they sort. */
const buttons = "main button:not(:disabled):not(thead *)";
/** The buttons below a table are the same part on every page. */
const tools = ".table-foot *";

type Options = {
  /** Gets the labels of pressed buttons. */
  pressed?: Set<string>;
  /** Selects buttons that are not pressed again if their label is in `pressed`. */
  once?: string;
  /** Called with each open dialog. */
  look?: (label: string) => Promise<void>;
};

/** @param open opens the page, and again after a button that leads elsewhere */
export async function walkDialogs(
  page: Page,
  open: () => Promise<void>,
  { pressed = new Set(), once = tools, look = () => checkDialog(page) }: Options = {},
): Promise<void> {
  await open();
  const address = page.url();
  const shown = await page.evaluate<{ label: string; isOnce: boolean }[]>(
    `[...document.querySelectorAll("${buttons}")].map((each) => ({ label: each.innerText, isOnce: each.matches("${once}") }))`,
  );
  const labels = new Set(shown.filter(({ label, isOnce }) => !isOnce || !pressed.has(label)).map(({ label }) => label));
  for (const label of labels) {
    pressed.add(label);
    const button = page.locator(buttons).getByText(label, { exact: true }).first();
    if ((await button.count()) === 0) continue; // an earlier button removed it
    const isInMenu = await openMenuOf(button);
    await button.focus();
    await page.keyboard.press("Enter");
    if (label.endsWith("…")) {
      await page.waitForSelector("dialog[open]").catch(async () => {
        const focused = await page.evaluate("document.activeElement.outerHTML");
        throw new Error(`"${label}" opens no dialog on ${address}. The focus is on ${focused}.`);
      });
      await look(label);
      await expectClosedByEscape(page, isInMenu ? "More" : label);
    } else {
      await painted(page);
      expect([label, await page.locator("dialog[open]").count()]).toEqual([label, 0]);
      if ((await page.locator("[popover]:popover-open").count()) > 0) await walkPopover(page, label);
    }
    if (page.url() !== address) await open();
  }
}

/** Keyboard in light and dark; axe in light, dark and, with other choices made, on a phone. */
export async function checkDialog(page: Page): Promise<void> {
  const inside = "document.querySelector('dialog[open]').contains(document.activeElement)";
  expect(await page.evaluate(inside)).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await walk(page, "Tab")).toEqual(nothing);
  expect(await violationsOf(page, [], "dialog[open]")).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await walk(page, "Shift+Tab")).toEqual(nothing);
  expect(await violationsOf(page, rulesOfColours, "dialog[open]")).toEqual([]);
  await page.setViewportSize(phone.viewport);
  for (const select of await page.locator("dialog[open] select").all()) {
    await select.selectOption({ index: (await select.locator("option").count()) - 1 });
  }
  expect(await violationsOf(page, [], "dialog[open]")).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.viewport.width);
  const inner = "dialog[open] :is(input, select, textarea, button)";
  const beyond = `[...document.querySelectorAll("${inner}")].filter((each) => each.getBoundingClientRect().right > each.closest("dialog").getBoundingClientRect().right).map((each) => each.name)`;
  expect(await page.evaluate(beyond)).toEqual([]);
  await page.setViewportSize(laptop.viewport);
  await page.emulateMedia({ colorScheme: "light" });
}

async function expectClosedByEscape(page: Page, label: string): Promise<void> {
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog[open]", { state: "detached" });
  const focused = () => page.evaluate<string>("document.activeElement.textContent");
  await eventually(async () => (await focused()) === label, 5_000).catch(() => {}); // the comparison below says more
  expect(await focused()).toBe(label);
}

async function walkPopover(page: Page, label: string): Promise<void> {
  await page.keyboard.press("Tab");
  const inside = await page.evaluate("document.activeElement.closest('[popover]') !== null");
  expect([page.url(), label, inside]).toEqual([page.url(), label, true]);
  expect(await violationsOf(page, [], "[popover]:popover-open")).toEqual([]);
  await page.keyboard.press("Escape");
  await eventually(async () => (await page.locator("[popover]:popover-open").count()) === 0);
  expect(await page.evaluate("document.activeElement.textContent")).toBe(label);
}

/** Refuses each request that writes, so that every button can be pressed. */
export async function withoutWrites(page: Page, work: () => Promise<void>): Promise<void> {
  await page.route("**/*", (route) => {
    const request = route.request();
    const isQuery = request.url().endsWith("/graphql") && !/"query":"\s*mutation/.test(request.postData() ?? "");
    return request.method() === "GET" || isQuery ? route.continue() : route.abort();
  });
  await work();
  await page.unrouteAll();
}
