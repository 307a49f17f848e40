/** Pages of bots, routines and hooks in Chromium: each action end to end. */
import { clickAction } from "../support/menu.ts";
import { giveUp } from "../support/one-time.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;
const post = async (url: string, secret: string) => {
  const { headers, raw } = signed(secret, "The tide is high.");
  return (await fetch(url, { method: "POST", headers, body: raw as string })).status;
};
const read = async (path: string) => (await here.data.who.ask("GET", path, undefined, "mayFail")).body;

test("a bot is created, edited and deleted", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/bots");
    await page.getByRole("button", { name: "Create a bot…" }).click();
    const create = page.getByRole("dialog", { name: "Create a bot" });
    await create.getByLabel("Name").fill("Pilot");
    await create.getByLabel("Instructions").fill("Guide ships.\nSpeak calmly.");
    await create.getByLabel("Model").selectOption(here.data.model);
    await create.getByLabel("Visibility").selectOption("Only its owner");
    await create.getByRole("button", { name: "Create", exact: true }).click();
    await seen(page.getByRole("heading", { name: "Pilot" }));
    const id = page.url().split("/").at(-1);
    expect(await read(`/bots/${id}`)).toMatchObject({
      name: "Pilot",
      instructions: "Guide ships.\nSpeak calmly.",
      model: here.data.model,
      visibility: "personal",
      directConversation: "members",
    });
    await page.getByRole("button", { name: "Edit…" }).click();
    const edit = page.getByRole("dialog", { name: "Edit the bot" });
    expect(await edit.getByLabel("Name").inputValue()).toBe("Pilot");
    await edit.getByLabel("Name").fill("Harbour pilot");
    await edit.getByLabel("Who can talk to it").selectOption("Only its owner");
    await edit.getByRole("button", { name: "Save" }).click();
    await seen(page.getByRole("heading", { name: "Harbour pilot" }));
    expect(await read(`/bots/${id}`)).toMatchObject({ visibility: "personal", directConversation: "owner" });
    await page.getByRole("button", { name: "Delete bot…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete bot", exact: true }).click();
    await page.waitForURL("**/portal/bots");
    expect(await read(`/bots/${id}`)).toMatchObject({ error: { code: "not_found" } });
  }));

test("a routine with a wrong schedule is refused beside the field; then created, paused, resumed, edited, deleted", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/routines");
    await page.getByRole("button", { name: "Create a routine…" }).click();
    const create = page.getByRole("dialog", { name: "Create a routine" });
    await create.getByRole("combobox", { name: "Bot" }).selectOption(here.data.who.bot);
    await create.getByLabel("Name").fill("Evening round");
    await create.getByLabel("Schedule").fill("61 8 * * *");
    await create.getByLabel("Message to the bot").fill("What is open?");
    await create.getByRole("button", { name: "Create", exact: true }).click();
    const field = create.locator("label", { hasText: "Schedule" });
    await seen(field.getByText("This is no schedule of five fields, or never occurs."));
    await seen(create.getByText("the schedule is not complete"));
    await create.getByLabel("Schedule").fill("0 18 * * *");
    await create.getByLabel("Time zone").fill("Europe/Berlin");
    const firings = create.getByRole("list", { name: "Next times" }).getByRole("listitem");
    expect(await firings.allInnerTexts()).toEqual(
      Array(3).fill(expect.stringMatching(/^[A-Z][a-z]{2}, .* 6:00\sPM \S+$/)),
    );
    await seen(create.getByText("At 06:00 PM, Europe/Berlin"));
    await create.getByLabel("Schedule").fill("0 18 1 * MON"); // has no exact words
    await gone(create.getByText("At 06:00 PM"));
    await create.getByLabel("Schedule").fill("0 18 * * *");
    await create.getByRole("button", { name: "Create", exact: true }).click();
    await seen(page.getByRole("heading", { name: "Evening round" }));
    await seen(page.getByText("At 06:00 PM, Europe/Berlin"));
    const path = `/routines/${page.url().split("/").at(-1)}`;
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await seen(page.getByRole("button", { name: "Resume", exact: true }));
    expect(await read(path)).toMatchObject({ state: "paused", schedule: "0 18 * * *" });
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await seen(page.getByRole("button", { name: "Pause", exact: true }));
    expect(await read(path)).toMatchObject({ state: "active" });
    await page.getByRole("button", { name: "Edit…" }).click();
    const edit = page.getByRole("dialog", { name: "Edit the routine" });
    await edit.getByLabel("Time zone").fill("Asia/Tokyo");
    await edit.getByRole("button", { name: "Save" }).click();
    await seen(page.getByText("Asia/Tokyo", { exact: true }));
    const next = page.getByRole("list", { name: "Next times" }).locator("time");
    expect(await next.first().getAttribute("datetime")).toMatch(/T09:00:00\.000Z$/); // 18:00 in Tokyo
    expect(await next.count()).toBe(3);
    expect(await read(path)).toMatchObject({ timeZone: "Asia/Tokyo", name: "Evening round" });
    await page.getByRole("button", { name: "Delete routine…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete routine", exact: true }).click();
    await page.waitForURL("**/portal/routines");
    expect(await read(path)).toMatchObject({ error: { code: "not_found" } });
  }));

test("a hook's secret is shown once and signs posts, and a rotated secret replaces it", () =>
  here.portal(async ({ page, open, main }) => {
    await open("/portal/hooks");
    await page.getByRole("button", { name: "Create a hook…" }).click();
    const create = page.getByRole("dialog", { name: "Create a hook" });
    await create.getByLabel("Bot").selectOption(here.data.who.bot);
    await create.getByLabel("Name").fill("Tide gauge");
    await create.getByRole("button", { name: "Create", exact: true }).click();
    const shown = page.getByRole("dialog", { name: "Signing secret" });
    await seen(shown);
    const [secret = "", url = ""] = await shown.locator("pre").allInnerTexts();
    await giveUp(shown);
    await seen(page.getByRole("heading", { name: "Tide gauge" }));
    expect(await main()).not.toContain("whsec_");
    expect(await post(url, secret)).toBe(202);

    await clickAction(page, "Rotate secret…");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret", exact: true }).click();
    const rotated = await page.getByRole("dialog", { name: "Signing secret" }).locator("pre").first().innerText();
    expect(rotated).toMatch(/^whsec_/);
    expect(await post(url, secret)).toBe(401);
    expect(await post(url, rotated)).toBe(202);
  }));

test("a hook is renamed, paused and deleted", () =>
  here.portal(async ({ page, open }) => {
    const path = `/hooks/${here.data.hook}`;
    await open(`/portal${path}`);
    await page.getByRole("button", { name: "Rename…" }).click();
    const dialog = page.getByRole("dialog", { name: "Rename the hook" });
    await dialog.getByLabel("Name").fill("Crane 2");
    await dialog.getByRole("button", { name: "Save" }).click();
    await seen(page.getByRole("heading", { name: "Crane 2" }));
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await seen(page.getByRole("button", { name: "Resume", exact: true }));
    expect(await read(path)).toMatchObject({ name: "Crane 2", state: "paused" });
    await clickAction(page, "Delete hook…");
    await page.getByRole("dialog").getByRole("button", { name: "Delete hook", exact: true }).click();
    await page.waitForURL("**/portal/hooks");
    await eventually(async () => (await read(path)).error?.code === "not_found");
  }));

test("an id is copied, or selected if the browser refuses", async () => {
  const copied = (permissions: string[], said: string, read: string) =>
    here.portal(
      async ({ page, open }) => {
        await open(`/portal/bots/${here.data.who.bot}`);
        await page.getByRole("button", { name: "Copy the id" }).first().click();
        await seen(page.getByRole("status").getByText(said));
        expect(await page.evaluate(read)).toBe(here.data.who.bot);
      },
      { options: { permissions } },
    );
  await copied(["clipboard-read", "clipboard-write"], "Copied the id.", "navigator.clipboard.readText()");
  await copied([], "The browser does not allow this page to copy.", "getSelection().toString()");
});
