/** Markup in each text that people and bots can enter: every page shows it as text, and runs none of it. */
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const markup = "<img src=x onerror=globalThis.canary=1>";
/** Names have at most 60 characters. */
const here = portalOfFile((given) => `${given.slice(0, 19)}${markup}`);
const { test } = here.chromium;

/** Pages of ids, states and times alone. */
const withoutText = ["delivery", "events"];

const scan = "globalThis.canary ?? document.querySelectorAll('img').length";

test("no page runs markup of a name, message, memory or question; each shows it as text", () =>
  here.portal(async ({ page, open, main }) => {
    for (const [name, path] of Object.entries(portalPagesOf(here.data))) {
      await open(path);
      expect([name, await page.evaluate(scan)]).toEqual([name, 0]);
      if (!withoutText.includes(name)) await eventually(async () => (await main()).includes(markup)); // at least in a filter
    }
    expect(await page.locator("header.top").innerText()).toContain(markup);
  }));

test("no dialog runs markup of the values that it shows", () =>
  here.portal(async ({ page, open }) => {
    const pages = portalPagesOf(here.data);
    const dialogs: [page: string, button: string][] = [
      ["endpoint", "Edit…"],
      ["key", "Edit…"],
      ["runs", "Start a run…"],
      ["bot", "Edit…"],
      ["memory", "Edit…"],
      ["memories", "Create a memory…"],
      ["routine", "Edit…"],
      ["hook", "Rename…"],
      ["members", "Change role…"],
      ["members", "Remove…"],
    ];
    for (const [name, button] of dialogs) {
      await open(pages[name] ?? "");
      await page.getByRole("button", { name: button }).first().click();
      await page.getByRole("dialog").waitFor();
      expect([name, button, await page.evaluate(scan)]).toEqual([name, button, 0]);
    }
  }));

test("a found memory marks the match inside markup, and runs none of it", () =>
  here.portal(async ({ page, open, main }) => {
    await open("/portal/memories?q=opening");
    await page.locator("mark").first().waitFor();
    expect(await page.evaluate(scan)).toBe(0);
    expect(await main()).toContain(markup);
  }));

test("markup that the person types is shown as text in the refusal and in the new row", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/hooks");
    await page.getByRole("button", { name: "Create a hook…" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a hook" });
    await dialog.getByLabel("Name").fill(`Typed ${markup}`);
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("dialog", { name: "Signing secret" }).getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: `Typed ${markup}` }).waitFor();
    expect(await page.evaluate(scan)).toBe(0);
  }));

test("a planted image is found by the scan", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/bots");
    await page.evaluate('document.querySelector("main").append(document.createElement("img"))');
    expect(await page.evaluate(scan)).toBe(1);
  }));
