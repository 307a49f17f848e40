/** A real Chromium, found or installed by machine.ts. */
import { mkdirSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { areThere, type TestWithPrograms, testWith } from "./machine.ts";
import { shared } from "./shared.ts";
import { longestWaitMs } from "./worker.ts";

/** The Debian package and its command: Chromium without a window takes half of its processor time. */
const program = "chromium-headless-shell";
const executablePath = `/usr/bin/${program}`;

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Opens it with a new profile. As root, Chromium cannot use its sandbox. It shows only our own pages here. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: flags, chromiumSandbox: process.getuid?.() !== 0 });

const sharedBrowser = shared(launchBrowser, (browser) => browser.close());

/** A new profile, whose pages wait as long as the tests. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(longestWaitMs);
  return context;
}

export type BrowserOfFile = {
  readonly browser: Browser;
  test: TestWithPrograms;
};

/** The browser that all files of a process share. Each test opens a context of its own. */
export function browserOfFile(): BrowserOfFile {
  let browser: Browser | undefined;
  if (areThere(program)) {
    beforeAll(async () => {
      browser = await sharedBrowser();
    });
    afterAll(async () => {
      await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
    });
  }
  return {
    get browser() {
      if (!browser) throw new Error("Chromium was not started.");
      return browser;
    },
    test: testWith(program),
  };
}

export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
export const desktop = { viewport: { width: 1280, height: 800 } };

/** Works on a page, and expects no request to an origin other than this one and no console message. */
export async function onPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await openContext(browser, options);
  const complaints: string[] = [];
  const origins = new Set<string>();
  context.on("console", (message) => {
    // Some tests expect a 4xx. Other messages, such as violations of the content security policy, are faults.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  context.on("request", (request) => origins.add(new URL(request.url()).origin));
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
  expect(complaints).toEqual([]);
  expect([...origins]).toEqual([origin]);
}

/** Updates docs/images/<name>.png if UPDATE_SCREENSHOTS is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  mkdirSync("docs/images", { recursive: true });
  await page.screenshot({ path: `docs/images/${name}.png`, animations: "disabled" });
}
