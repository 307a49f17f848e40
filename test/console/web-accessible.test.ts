/** Accessibility of the operators' page: keyboard, phone, colour schemes, and axe. */
import { rulesOfColours, violationsOf } from "../support/axe.ts";
import { browserOfFile } from "../support/browser.ts";
import { consoleWithDataOfFile, pagesOf } from "../support/console-fixture.ts";
import { type BrowserSession, laptop, phone, settled, signInBrowser } from "../support/console-page.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();

async function withSession(
  options: Parameters<typeof signInBrowser>[2],
  work: (session: BrowserSession) => Promise<void>,
): Promise<void> {
  const session = await signInBrowser(chromium.browser, { url: here.testServer.url, token: here.token }, options);
  await work(session);
  const { complaints, origins } = await session.close();
  expect(complaints).toEqual([]);
  expect(origins).toEqual([here.testServer.url]);
}

chromium.test("axe reports no violation on any page, light or dark, and no page is wider than a phone", async () => {
  await withSession(laptop, async ({ page, open }) => {
    for (const [name, path] of Object.entries(pagesOf(here.fixture))) {
      await page.emulateMedia({ colorScheme: "light" });
      await open(path);
      expect([name, "light", await violationsOf(page)]).toEqual([name, "light", []]);
      await page.emulateMedia({ colorScheme: "dark" }); // changes nothing but colours
      expect([name, "dark", await violationsOf(page, rulesOfColours)]).toEqual([name, "dark", []]);
      await page.setViewportSize(phone.viewport);
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, phone.viewport.width]);
      await page.setViewportSize(laptop.viewport);
    }
  });
});

chromium.test("axe reports no violation in a dialog, after a refusal, or on a phone", async () => {
  await withSession({ ...phone, colorScheme: "dark" }, async ({ page, open }) => {
    const { organisation, endpoint } = pagesOf(here.fixture);
    await open(organisation ?? "");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Set billing…" }).click();
    const dialog = page.getByRole("dialog", { name: "Set billing" });
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByLabel("State").selectOption("On trial");
    await dialog.getByLabel("Trial end").fill("");
    await dialog.getByLabel("Reason").fill("They ask for it.");
    await dialog.getByRole("button", { name: "Set billing", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await open(endpoint ?? "");
    expect(await violationsOf(page)).toEqual([]);
  });
});

chromium.test("axe reports no violation on the sign-in page", async () => {
  const context = await chromium.browser.newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(here.testServer.url);
  expect(await violationsOf(page)).toEqual([]);
  await context.close();
});

chromium.test("axe reports a deliberate violation", async () => {
  await withSession(undefined, async ({ page }) => {
    await page.evaluate('document.querySelector("main").append(document.createElement("img"))');
    expect(await violationsOf(page)).toEqual([expect.stringContaining("image-alt")]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.evaluate('document.querySelector("main h1").style.color = "#333"');
    expect(await violationsOf(page, rulesOfColours)).toEqual([expect.stringContaining("color-contrast")]);
  });
});

chromium.test(
  "the keyboard alone leads from the overview to an organisation with an issue, and to its keys",
  async () => {
    await withSession(undefined, async ({ page }) => {
      const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
      const tabTo = async (text: string | RegExp) => {
        for (let presses = 0; presses < 80; presses += 1) {
          await page.keyboard.press("Tab");
          const current = await focused();
          if (typeof text === "string" ? current === text : text.test(current)) return;
        }
        throw new Error(`Tab does not lead to ${text}.`);
      };
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Skip to content");
      await page.keyboard.press("Enter");
      await tabTo("Tidewater Trading");
      await page.keyboard.press("Enter");
      await page.waitForURL(/organisations/);
      await settled(page);
      await tabTo("Keys");
      await page.keyboard.press("Enter");
      await page.getByRole("cell", { name: "Import" }).waitFor();
    });
  },
);

chromium.test("the colour scheme follows the system, or a stored choice", async () => {
  await withSession({ colorScheme: "light" }, async ({ page, open }) => {
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(246, 247, 249)");
    await page.getByLabel("Appearance").selectOption("Dark");
    expect(await background()).toBe("rgb(14, 15, 18)");
    await open("/email");
    expect(await background()).toBe("rgb(14, 15, 18)");
  });
});
