/** A real Chromium, found or installed by machine.ts. */
import { mkdirSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { areThere, type TestWithPrograms, testWith } from "./machine.ts";

const executablePath = "/usr/bin/chromium";

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type BrowserOfFile = {
  readonly browser: Browser;
  test: TestWithPrograms;
};

/** Opened before the file's tests with a new profile, and closed after them. */
export function browserOfFile(): BrowserOfFile {
  let browser: Browser | undefined;
  if (areThere("chromium")) {
    beforeAll(async () => {
      // As root, Chromium cannot use its sandbox. It shows only our own pages here.
      browser = await chromium.launch({ executablePath, args: flags, chromiumSandbox: process.getuid?.() !== 0 });
    }, 60_000);
    afterAll(() => browser?.close());
  }
  return {
    get browser() {
      if (!browser) throw new Error("Chromium was not started.");
      return browser;
    },
    test: testWith("chromium"),
  };
}

/** Updates docs/images/<name>.png if UPDATE_SCREENSHOTS is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  mkdirSync("docs/images", { recursive: true });
  await page.screenshot({ path: `docs/images/${name}.png`, animations: "disabled" });
}
