/** A real Chromium: the one of the machine, as machine.ts finds or installs it. */
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

/** Opened before the file's tests with a profile of its own, and closed after them. */
export function browserOfFile(): BrowserOfFile {
  let browser: Browser | undefined;
  if (areThere("chromium")) {
    beforeAll(async () => {
      // As root Chromium has no sandbox to enter; what it is shown here is our own pages alone.
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

/** Renews docs/images/<name>.png where UPDATE_SCREENSHOTS is set; otherwise a test leaves the tree as it is. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  mkdirSync("docs/images", { recursive: true });
  await page.screenshot({ path: `docs/images/${name}.png`, animations: "disabled" });
}
