/** Secrets that are shown once, in Chromium: they stay until they were copied, or until the person gives them up. */
import type { Locator, Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { laptop, phone } from "../support/console-page.ts";
import { clickAction } from "../support/menu.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;

const rotate = (page: Page) =>
  page
    .getByRole("dialog")
    .getByRole("button", { name: /^Rotate( secret)?$/ })
    .click();

async function createKey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Create a key…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create", exact: true }).click();
}

/** Each way to a one-time secret of the portal: the page, and what a person does there. */
const ways: [title: string, path: () => string | Promise<string>, perform: (page: Page) => Promise<void>][] = [
  ["a new key", () => "/portal/keys", (page) => createKey(page, "Night watch")],
  [
    "a rotated key",
    async () => `/portal/keys/${(await here.data.who.ask("POST", "/keys", { name: "Crane", scope: "read" })).body.id}`,
    async (page) => {
      await page.getByRole("button", { name: "Rotate…" }).click();
      await rotate(page);
    },
  ],
  [
    "the secret of a new endpoint",
    () => "/portal/endpoints",
    async (page) => {
      await page.getByRole("button", { name: "Create an endpoint…" }).click();
      await page.getByRole("dialog").getByLabel("Address").fill("https://mole.harbour.example/events");
      await page.getByRole("dialog").getByRole("button", { name: "Create and test" }).click();
    },
  ],
  [
    "a rotated secret of an endpoint",
    () => `/portal/endpoints/${here.data.endpoint}`,
    async (page) => {
      await clickAction(page, "Rotate secret…");
      await rotate(page);
    },
  ],
  [
    "the secret of a new audit stream",
    async () => {
      await here.data.who.ask("DELETE", "/audit/stream", undefined, "mayFail");
      return "/portal/audit";
    },
    async (page) => {
      await page.getByRole("button", { name: "Set up a stream…" }).click();
      await page.getByRole("dialog").getByLabel("Address").fill("https://siem.harbour.example/botstead");
      await page.getByRole("dialog").getByRole("button", { name: "Set up", exact: true }).click();
    },
  ],
  [
    "the secret of a new hook",
    () => "/portal/hooks",
    async (page) => {
      await page.getByRole("button", { name: "Create a hook…" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Alerts of the mole");
      await page.getByRole("dialog").getByRole("button", { name: "Create", exact: true }).click();
    },
  ],
  [
    "a rotated secret of a hook",
    () => `/portal/hooks/${here.data.hook}`,
    async (page) => {
      await clickAction(page, "Rotate secret…");
      await rotate(page);
    },
  ],
];

/** Whether the whole element is inside the dialog and the window, and nothing of it is cut off. */
const isWhole = (element: Locator) =>
  element.evaluate((node) => {
    const box = node.getBoundingClientRect();
    const dialog = (node.closest("dialog") as typeof node).getBoundingClientRect();
    return (
      node.scrollWidth <= node.clientWidth + 1 &&
      box.left >= dialog.left &&
      box.right <= dialog.right &&
      dialog.right <= node.ownerDocument.documentElement.clientWidth
    );
  });

for (const [size, options] of [
  ["a laptop", laptop],
  ["a phone", phone],
] as const) {
  for (const [title, path, perform] of ways)
    test(`${size}: ${title} stays on Escape and on a click beside its dialog`, () =>
      here.portal(
        async ({ page, open }) => {
          await open(await path());
          await perform(page);
          const secret = page.locator("dialog pre.secret");
          const text = await secret.innerText();
          expect(text).toMatch(/^(bsk_\w{49}|whsec_[\w+/]{43}=)$/);
          expect(await isWhole(secret)).toBe(true);
          const dialog = page.getByRole("dialog").filter({ has: page.locator("pre.secret") });
          expect(await isWhole(dialog.getByRole("button", { name: "Close", exact: true }))).toBe(true);
          await page.keyboard.press("Escape");
          await page.keyboard.press("Escape"); // a browser does not ask the page at a second one
          await page.mouse.click(5, 5);
          await page.keyboard.press("Control+k");
          await seen(dialog.getByRole("alert").getByText("is not copied, and cannot be shown again"));
          expect(await secret.innerText()).toBe(text);
          expect(await isWhole(dialog.getByRole("button", { name: "Close without copying" }))).toBe(true);
          expect(await violationsOf(page)).toEqual([]);
          await dialog.getByRole("button", { name: "Close without copying" }).click();
          await gone(dialog);
        },
        { options },
      ));
}

test("a copied secret closes at once; going back in the browser's history does not close another", () =>
  here.portal(
    async ({ page, open, context }) => {
      await open("/portal/keys");
      await createKey(page, "Copied");
      const dialog = page.getByRole("dialog", { name: "Your new key" });
      const text = await dialog.locator("pre.secret").innerText();
      await dialog.getByRole("button", { name: "Copy the key" }).click();
      await seen(dialog.getByText("The key is copied."));
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
      await page.keyboard.press("Escape");
      await gone(dialog);
      await seen(page.getByRole("heading", { name: "Copied" }));

      await page.getByRole("button", { name: "Rotate…" }).click();
      await rotate(page);
      await seen(dialog);
      await page.goBack();
      await page.waitForURL("**/portal/keys");
      expect(await dialog.locator("pre.secret").innerText()).toMatch(/^bsk_/);
      await context.clearPermissions();
    },
    { options: { ...laptop, permissions: ["clipboard-read", "clipboard-write"] } },
  ));

test("where the browser refuses the copy button, the keyboard copies the selected secret, which counts", () =>
  here.portal(async ({ page, open }) => {
    await page.addInitScript("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await open("/portal/keys");
    await createKey(page, "By keyboard");
    const dialog = page.getByRole("dialog", { name: "Your new key" });
    await dialog.getByRole("button", { name: "Copy the key" }).click();
    await seen(dialog.getByText("The key is selected: copy it with the keyboard."));
    await page.keyboard.press("Control+c");
    await seen(dialog.getByText("The key is copied."));
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await gone(dialog);
  }));
