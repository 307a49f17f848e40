/** The operators' page for everybody: by the keyboard alone, on a phone, in both schemes, and as axe reads it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { browserOfFile } from "../support/browser.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { phone, type Seat, settled, takeSeat } from "../support/console-page.ts";
import { consoleScene, openNight, pagesOf, type Scene } from "../support/console-scene.ts";
import type { PostOffice } from "../support/post-office.ts";

const chromium = browserOfFile();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let office: PostOffice;
let scene: Scene;
let here: TestConsole;
let token: string;

beforeAll(async () => {
  office = await openNight();
  [scene, here] = await Promise.all([consoleScene(office, office.db.poolAs("runner")), testConsole(office.db)]);
  token = (await mintToken(office.db, "act", "Otto")).text;
}, 60_000);
afterAll(async () => {
  await here?.stop();
  await office?.close();
});

/** What axe finds, in words. */
async function found(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as Axe).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
type Axe = { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };

async function withSeat(options: Parameters<typeof takeSeat>[2], work: (seat: Seat) => Promise<void>): Promise<void> {
  const seat = await takeSeat(chromium.browser, { url: here.url, token }, options);
  await work(seat);
  const { complaints, origins } = await seat.leave();
  expect(complaints).toEqual([]);
  expect(origins).toEqual([here.url]);
}

for (const colorScheme of ["light", "dark"] as const) {
  chromium.test(`axe finds nothing on any page, ${colorScheme}`, async () => {
    await withSeat({ viewport: { width: 1280, height: 800 }, colorScheme }, async ({ page, visit }) => {
      for (const [name, path] of Object.entries(pagesOf(scene))) {
        await visit(path);
        expect([name, await found(page)]).toEqual([name, []]);
      }
    });
  });
}

chromium.test("axe finds nothing in an open dialog, nor after it was refused, nor on a phone", async () => {
  await withSeat({ ...phone, colorScheme: "dark" }, async ({ page, visit }) => {
    const { organisation, endpoint } = pagesOf(scene);
    await visit(organisation ?? "");
    expect(await found(page)).toEqual([]);
    await page.getByRole("button", { name: "Set billing…" }).click();
    const dialog = page.getByRole("dialog", { name: "Set billing" });
    expect(await found(page)).toEqual([]);
    await dialog.getByLabel("State").selectOption("On trial"); // without an end of it
    await dialog.getByLabel("Reason").fill("They ask for it.");
    await dialog.getByRole("button", { name: "Set billing", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await found(page)).toEqual([]);
    await visit(endpoint ?? "");
    expect(await found(page)).toEqual([]);
  });
});

chromium.test("axe finds nothing where one signs in", async () => {
  const context = await chromium.browser.newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(here.url);
  expect(await found(page)).toEqual([]);
  await context.close();
});

chromium.test("a planted fault is found, so that nothing found means something", async () => {
  await withSeat(undefined, async ({ page }) => {
    await page.evaluate('document.querySelector("main").append(document.createElement("img"))');
    expect(await found(page)).toEqual([expect.stringContaining("image-alt")]);
  });
});

chromium.test("on a phone no page is wider than it", async () => {
  await withSeat(phone, async ({ page, visit }) => {
    for (const [name, path] of Object.entries(pagesOf(scene))) {
      await visit(path);
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 375]);
    }
  });
});

chromium.test("with keys alone: from the first page to an organisation in trouble, and on to its keys", async () => {
  await withSeat(undefined, async ({ page }) => {
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    const tabTo = async (words: string | RegExp) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press("Tab");
        const here = await focused();
        if (typeof words === "string" ? here === words : words.test(here)) return;
      }
      throw new Error(`Tab does not lead to ${words}.`);
    };
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("To the content");
    await page.keyboard.press("Enter");
    await tabTo("Tidewater Trading");
    await page.keyboard.press("Enter");
    await page.waitForURL(/organisations/);
    await settled(page);
    await tabTo("Keys");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "Import" }).waitFor();
  });
});

chromium.test("the scheme is the system's, or the one that was chosen here, which stays", async () => {
  await withSeat({ colorScheme: "light" }, async ({ page, visit }) => {
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await ground()).toBe("rgb(246, 247, 249)");
    await page.getByLabel("Appearance").selectOption("Dark");
    expect(await ground()).toBe("rgb(14, 15, 18)");
    await visit("/mails");
    expect(await ground()).toBe("rgb(14, 15, 18)");
  });
});
