/** The command palette: what it finds, and how it opens, closes and fails. */
import { violationsOf } from "../support/axe.ts";
import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;

test("Ctrl+K finds things by their names and addresses, and by their ids, and Enter opens the page", () =>
  here.portal(async ({ page, open }) => {
    const { endpoint, key, who, runs, routine, hook, delivery, memory, approval } = here.data;
    const found: [text: string, option: string | RegExp, path: string][] = [
      ["crane.harb endpoint", "Crane, https://crane.harbour.example/events Endpoint", `/portal/endpoints/${endpoint}`],
      ["crane key", /^Crane, bsk_.+ API key$/, `/portal/keys/${key}`],
      ["mooring", /^Max Mooring, .+ Member$/, "/portal/members"],
      ["harbour guide bot", "Harbour guide Bot", `/portal/bots/${who.bot}`],
      ["morning", "Morning round Routine", `/portal/routines/${routine}`],
      ["alerts", "Alerts of the crane Hook", `/portal/hooks/${hook}`],
      [delivery, /^webhook\.test, .+ Delivery$/, `/portal/endpoints/deliveries/${delivery}`],
      [memory, /^Opening hours Memory$/, `/portal/memories/${memory}`],
      [approval, /^Question, .+ Approval$/, `/portal/approvals/${approval}`],
      ["clerk completed", /^Clerk, completed, .+ Run$/, `/portal/runs/${runs.completed}`],
      [runs.queued, /^Harbour guide, queued, .+ Run$/, `/portal/runs/${runs.queued}`],
    ];
    await open("/portal/hooks");
    for (const [text, option, path] of found) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
      const options = page
        .getByRole("dialog", { name: "Search" })
        .getByRole("listbox", { name: "Search" })
        .getByRole("option");
      await seen(options.filter({ hasText: option }));
      expect([text, ...(await options.allInnerTexts())]).toEqual([text, expect.stringMatching(option)]);
      expect(await violationsOf(page, [], "dialog[open]")).toEqual([]);
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${path}`);
    }
    await page.getByRole("button", { name: /^Search / }).click();
    await page.keyboard.type("no such thing");
    await seen(page.getByRole("dialog").getByRole("status").getByText("Nothing found."));
    expect(await violationsOf(page, [], "dialog[open]")).toEqual([]);
  }));

test("Ctrl+K in the same moment as a choice opens a search that finds everything", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/keys");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("hooks");
    // Both in one task, so that the dialog's event of the choice comes after the second opening.
    await page.evaluate(`{
      const press = (init) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...init }));
      press({ key: "Enter" });
      press({ key: "k", ctrlKey: true });
    }`);
    await seen(page.getByRole("heading", { name: "Hooks" }));
    await page.keyboard.type("clerk completed");
    await seen(
      page.getByRole("dialog", { name: "Search" }).getByRole("option", { name: /^Clerk, completed, .+ Run$/ }),
    );
  }));

test("a search that could not read everything says so instead of that nothing is found", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/keys");
    await page.context().setOffline(true);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("clerk completed");
    await seen(page.getByRole("dialog").getByRole("status").getByText("Not everything could be read."));
    await page.keyboard.press("Escape");
    await page.context().setOffline(false);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("clerk completed");
    await seen(
      page.getByRole("dialog", { name: "Search" }).getByRole("option", { name: /^Clerk, completed, .+ Run$/ }),
    );
  }));
