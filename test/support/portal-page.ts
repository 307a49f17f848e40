/** A person in the portal, in Chromium. Each error or warning in the browser's console counts as a failure of the page. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { unlimitedBuckets } from "./api.ts";
import { type BrowserOfFile, browserOfFile, openContext } from "./browser.ts";
import { laptop } from "./console-page.ts";
import { changePage, painted, seen } from "./page-change.ts";
import { type PortalData, portalData } from "./portal-data.ts";
import { type Customer, officeOfFile, ownOfficeOfFile, type PostOffice } from "./post-office.ts";
import { eventually } from "./worker.ts";

export type PortalTab = {
  page: Page;
  context: BrowserContext;
  /** Opens a page of the portal and waits until its data is shown. */
  open(path: string): Promise<void>;
  /** The same without a new document. */
  go(path: string): Promise<void>;
  main(): Promise<string>;
  /** Closes the browser context. Returns logged errors and warnings, and the requested origins. */
  close(): Promise<{ complaints: string[]; origins: string[] }>;
};

/** @param session the body of `POST /portal-sessions` */
export async function openPortal(
  browser: Browser,
  { url, who, session = {} }: { url: string; who: Pick<Customer, "ask">; session?: object },
  options: BrowserContextOptions = laptop,
): Promise<PortalTab> {
  const link = new URL((await who.ask("POST", "/portal-sessions", session)).body.url);
  const context = await openContext(browser, options);
  const complaints: string[] = [];
  const origins = new Set<string>();
  context.on("console", (message) => {
    // Some tests expect a 4xx, which the browser logs.
    const isExpected = message.text().startsWith("Failed to load resource");
    if (!isExpected && ["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => origins.add(new URL(request.url()).origin));
  const page = await context.newPage();
  await page.goto(url + link.pathname + link.hash);
  await seen(page.locator("main h1"));
  return {
    page,
    context,
    async open(path) {
      await page.goto(url + path);
      await settled(page);
    },
    async go(path) {
      await changePage(page, path);
      await settled(page);
    },
    main: () => page.locator("main").innerText(),
    async close() {
      await context.close();
      return { complaints, origins: [...origins] };
    },
  };
}

/** Waits until all data of the page is shown. */
export async function settled(page: Page): Promise<void> {
  await seen(page.locator("main h1"));
  await eventually(async () => (await page.locator("main .loading").count()) === 0);
  await painted(page);
}

/** What a failed test waited on: the address, the focused element, and the text of the open dialog or the page. */
const shownBy = (page: Page): Promise<string> =>
  page.evaluate(`[
    location.href,
    document.activeElement?.outerHTML.slice(0, 200),
    (document.querySelector("dialog[open]") ?? document.body).innerText.slice(0, 1500),
  ].join("\\n")`);

export type PortalOfFile = {
  readonly office: PostOffice;
  readonly chromium: BrowserOfFile;
  readonly data: PortalData;
  /** Opens the portal in a new browser context. Expects no complaint and no other origin at the end. */
  portal(
    work: (tab: PortalTab) => Promise<void>,
    given?: { session?: object; options?: BrowserContextOptions },
  ): Promise<void>;
};

/**
 * The API with an organisation's data, and a browser.
 *
 * @param options.own a database of the file's own, as a worker needs it
 */
export function portalOfFile(
  text?: (given: string) => string,
  options: { worker?: boolean; own?: boolean } = {},
): PortalOfFile {
  const { worker = false, own = worker } = options;
  const chromium = browserOfFile();
  const office = own ? ownOfficeOfFile({ worker, buckets: unlimitedBuckets() }) : officeOfFile({ isLimited: false });
  let data: PortalData;
  beforeAll(async () => {
    data = await portalData(office, office.db.poolAs("runner"), text);
  });
  return {
    office,
    chromium,
    get data() {
      return data;
    },
    async portal(work, { session = {}, options } = {}) {
      const { url } = office.api;
      const tab = await openPortal(chromium.browser, { url, who: data.who, session }, options);
      try {
        await work(tab);
      } catch (error) {
        (error as Error).message += `\n\nThe page showed ${await shownBy(tab.page)}`;
        await tab.close();
        throw error;
      }
      const { complaints, origins } = await tab.close();
      expect(complaints).toEqual([]);
      expect(origins).toEqual([url]);
    },
  };
}
