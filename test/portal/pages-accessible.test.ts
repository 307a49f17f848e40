/** Accessibility of the portal's pages: axe in light and dark, width of a phone, and the keyboard alone. */
import { rulesOfColours, violationsOf } from "../support/axe.ts";
import { laptop, phone } from "../support/console-page.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

test("axe reports no violation on any page, light or dark, and no page is wider than a phone", () =>
  here.portal(async ({ page, open }) => {
    for (const [name, path] of Object.entries(portalPagesOf(here.data))) {
      await page.emulateMedia({ colorScheme: "light" });
      await open(path);
      expect([name, "light", await violationsOf(page)]).toEqual([name, "light", []]);
      await page.emulateMedia({ colorScheme: "dark" }); // changes nothing but colours
      expect([name, "dark", await violationsOf(page, rulesOfColours)]).toEqual([name, "dark", []]);
      await page.setViewportSize(phone.viewport);
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, phone.viewport.width]);
      await page.setViewportSize(laptop.viewport);
    }
  }));

const dialogs: [path: string, button: string][] = [
  ["endpoints", "Create an endpoint…"],
  ["endpoint", "Recover…"],
  ["endpoint", "Delete endpoint…"],
  ["keys", "Create a key…"],
  ["key", "Rotate…"],
  ["runs", "Start a run…"],
  ["bots", "Create a bot…"],
  ["memories", "Create a memory…"],
  ["memories", "Erase a subject…"],
  ["memory", "Edit…"],
  ["routines", "Create a routine…"],
  ["routine", "Delete routine…"],
  ["hooks", "Create a hook…"],
  ["hook", "Rotate secret…"],
  ["members", "Invite a person…"],
];

test("axe reports no violation in a dialog on a dark phone, and Escape closes it", () =>
  here.portal(
    async ({ page, open }) => {
      for (const [name, button] of dialogs) {
        await open(portalPagesOf(here.data)[name] ?? "");
        await page.getByRole("button", { name: button }).click();
        await page.getByRole("dialog").waitFor();
        expect([button, await violationsOf(page)]).toEqual([button, []]);
        expect([button, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
          button,
          phone.viewport.width,
        ]);
        await page.keyboard.press("Escape");
        await eventually(async () => (await page.getByRole("dialog").count()) === 0);
        expect(await page.evaluate("document.activeElement.textContent")).toBe(button);
      }
    },
    { options: { ...phone, colorScheme: "dark" } },
  ));

test("the keyboard alone pauses a routine, opened from the navigation", () =>
  here.portal(async ({ page }) => {
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press("Tab");
        if ((await page.evaluate<string>("document.activeElement.textContent.trim()")) === text) return;
      }
      throw new Error(`Tab does not lead to ${text}.`);
    };
    await tabTo("Routines");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/portal/routines");
    await settled(page);
    await tabTo("Morning round");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Morning round" }).waitFor();
    await tabTo("Pause");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    const { state } = (await here.data.who.ask("GET", `/routines/${here.data.routine}`)).body;
    expect(state).toBe("paused");
  }));
