/** Pages of memories in Chromium: search, create, edit, history, delete and erase. */

import { gone, seen } from "../support/page-change.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

test("search marks the words that match, and filters narrow the list", () =>
  here.portal(async ({ page, open }) => {
    const rows = page.getByRole("table", { name: "Memories" }).locator("tbody tr");
    await open("/portal/memories");
    expect(await rows.count()).toBe(2);
    await page.getByRole("searchbox", { name: "Search" }).fill("office");
    await page.waitForURL("**/portal/memories?q=office");
    await eventually(async () => (await rows.count()) === 1);
    expect(await rows.locator("mark").allInnerTexts()).toEqual(["office"]);
    await page.getByRole("searchbox", { name: "Search" }).fill("");
    await eventually(async () => (await rows.count()) === 2);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("search").getByLabel("About").selectOption("a third party");
    await eventually(async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toContain("Nils Holm");
  }));

test("a memory is created, edited and deleted; its history has the former version", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/memories");
    await page.getByRole("button", { name: "Create a memory…" }).click();
    const create = page.getByRole("dialog", { name: "Create a memory" });
    await create.getByLabel("Kind").fill("fact");
    await create.getByLabel("Subject").fill("Lighthouse");
    await create.getByLabel("Memory", { exact: false }).first().fill("It has 99 steps.");
    await create.getByLabel("Confidence, 0 to 1").fill("0.5");
    await create.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL("**/portal/memories/*-*");
    await seen(page.getByRole("heading", { name: "Lighthouse" }));
    const id = page.url().split("/").at(-1);
    await seen(page.getByText("The memory was never changed."));

    await page.getByRole("button", { name: "Edit…" }).click();
    const edit = page.getByRole("dialog", { name: "Edit the memory" });
    expect(await edit.getByRole("spinbutton").inputValue()).toBe("0.5");
    await edit.getByRole("textbox", { name: "Memory" }).fill("It has 101 steps.");
    await edit.getByRole("button", { name: "Save" }).click();
    const history = page.getByRole("table", { name: "Former versions, newest first" });
    expect(await history.getByRole("row").nth(1).innerText()).toMatch(/Olga Owner\s+It has 99 steps\.\s+50%/);
    await seen(page.getByText("It has 101 steps."));
    const stored = (await here.data.who.ask("GET", `/memories/${id}`)).body;
    expect(stored).toMatchObject({ value: "It has 101 steps.", confidence: 0.5, provenance: "member" });

    await page.getByRole("button", { name: "Delete memory…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete memory", exact: true }).click();
    await page.waitForURL("**/portal/memories");
    expect((await here.data.who.ask("GET", `/memories/${id}`, undefined, "mayFail")).status).toBe(404);
  }));

test("memories that contradict each other are found, compared and replaced; each names the other", () =>
  here.portal(async ({ page, open }) => {
    const { ask } = here.data.who;
    const pier = { scope: "organisation", kind: "fact", subject: "Pier 7" };
    const { id: older } = (await ask("POST", "/memories", { ...pier, value: "It is closed." })).body;
    const { id: newer } = (await ask("POST", "/memories", { ...pier, value: "It is open." })).body;
    await open("/portal/memories?q=pier");
    await page.getByRole("search").getByLabel("Contradictions").selectOption("Contradicted by another");
    await page.waitForURL("**/portal/memories?conflicts=true");
    const rows = page.getByRole("table", { name: "Memories" }).locator("tbody tr");
    await eventually(async () => (await rows.count()) === 2);

    await open(`/portal/memories/${older}`);
    const others = page.getByRole("table", { name: "Memories that are valid now and say something else" });
    expect(await others.locator("tbody tr").innerText()).toMatch(/It is open\.\s+newer/);
    await page.getByRole("button", { name: "Replace…" }).click();
    const dialog = page.getByRole("dialog", { name: "Replace the memory" });
    expect(await dialog.getByRole("textbox", { name: "Memory" }).inputValue()).toBe("It is closed.");
    await dialog.getByRole("textbox", { name: "Memory" }).fill("It is open.");
    await dialog.getByRole("button", { name: "Replace", exact: true }).click();
    await page.waitForURL((url) => url.pathname !== `/portal/memories/${older}`);
    const made = (await ask("GET", `/memories/${page.url().split("/").at(-1)}`)).body;
    expect(made).toMatchObject({ ...pier, value: "It is open.", supersedes: older });
    expect(made.conflictsWith).toBeUndefined();
    await page.getByRole("link", { name: "an earlier memory" }).click();
    await page.waitForURL(`**/portal/memories/${older}`);
    await seen(page.getByRole("link", { name: "a later memory" }));
    await gone(page.getByRole("button", { name: "Replace…" }));
    await gone(others);
    for (const id of [older, newer, made.id]) await ask("DELETE", `/memories/${id}`);
  }));

test("a refusal states its reason in the dialog, which keeps what was typed", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/memories");
    await page.getByRole("button", { name: "Create a memory…" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a memory" });
    await dialog.getByLabel("Kind").fill("health");
    await dialog.getByLabel("Subject").fill("Nils Holm");
    await dialog.getByLabel("About").selectOption("a third party");
    await dialog.getByRole("textbox", { name: "Memory" }).fill("He is ill.");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await seen(dialog.getByText("Memories of this kind must not be stored about third parties."));
    expect(await dialog.getByLabel("Subject").inputValue()).toBe("Nils Holm");
    await page.keyboard.press("Escape");
    await eventually(async () => (await page.getByRole("dialog").count()) === 0);
  }));

test("erasing a subject needs the subject twice, erases its memories, and shows the receipt", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/memories");
    await page.getByRole("button", { name: "Erase a subject…" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase all memories about a subject" });
    await dialog.getByLabel("Subject", { exact: true }).fill("Nils Holm");
    await dialog.getByLabel("About").selectOption("a third party");
    await dialog.getByLabel("Type the subject again").fill("Nils Home");
    await dialog.getByRole("button", { name: "Erase", exact: true }).click();
    await seen(dialog.getByText("The two subjects differ."));
    const count = async () => (await here.data.who.ask("GET", "/memories?subject=Nils%20Holm")).body.data.length;
    expect(await count()).toBe(1);
    await dialog.getByLabel("Type the subject again").fill("Nils Holm");
    await dialog.getByRole("button", { name: "Erase", exact: true }).click();
    const receipt = page.getByRole("dialog", { name: "Receipt of the erasure" });
    await seen(receipt);
    expect(await receipt.innerText()).toMatch(/Memories\s+1\s+Former versions\s+0/);
    expect(await receipt.innerText()).not.toContain("Nils Holm");
    await receipt.getByRole("button", { name: "Close" }).click();
    await settled(page);
    expect(await page.getByRole("table", { name: "Memories" }).innerText()).not.toContain("Nils Holm");
    expect(await count()).toBe(0);
  }));
