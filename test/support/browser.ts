/**
 * A real Chromium: the one of the machine, or one that is installed when that takes no question; where there is neither,
 * its tests are left out by name, with the line that brings it. In CI leaving out is failing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = "/usr/bin/chromium";
const install = "apt-get update && apt-get install -y chromium";

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
  test(name: string, story: () => Promise<void>, timeoutMs?: number): void;
};

/** Opened before the file's tests with a profile of its own, and closed after them. */
export function browserOfFile(): BrowserOfFile {
  let browser: Browser | undefined;
  const there = isThere();
  if (there) {
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
    test(name, story, timeoutMs = 60_000) {
      if (there) test(name, story, timeoutMs);
      else if (process.env.CI === "true") {
        test(name, () => {
          throw new Error(`There is no ${executablePath}. To have it: ${install}`);
        });
      } else test.skip(`${name} (left out: there is no Chromium; ${install})`, story);
    },
  };
}

/** Renews docs/images/<name>.png where UPDATE_SCREENSHOTS is set; otherwise a test leaves the tree as it is. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  mkdirSync("docs/images", { recursive: true });
  await page.screenshot({ path: `docs/images/${name}.png`, animations: "disabled" });
}

function isThere(): boolean {
  if (!existsSync(executablePath) && process.getuid?.() === 0) {
    try {
      // Two files of tests may come here at once: the second waits for the first.
      execFileSync("sh", ["-c", install.replaceAll("apt-get", "apt-get -qq -o DPkg::Lock::Timeout=300")], {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        stdio: "ignore",
        timeout: 300_000,
      });
    } catch {
      // No network, or no apt: left out like for anyone else.
    }
  }
  return existsSync(executablePath);
}
