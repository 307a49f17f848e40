/** An operator in a browser. Each error or warning in the browser's console counts as a failure of the page. */
import { readdirSync, readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { openContext } from "./browser.ts";
import { openMenuOf } from "./menu.ts";
import { ofFile } from "./of-file.ts";
import { giveUp } from "./one-time.ts";
import { changePage, painted, seen } from "./page-change.ts";
import { eventually } from "./worker.ts";

export type BrowserSession = {
  page: Page;
  context: BrowserContext;
  /** Opens a page of the console and waits until its data is shown. */
  open(path: string): Promise<void>;
  /** The same without a new document. */
  go(path: string): Promise<void>;
  /** Closes the browser context. Returns logged errors and warnings, and the requested origins. */
  close(): Promise<{ complaints: string[]; origins: string[] }>;
};

export const laptop = { viewport: { width: 1280, height: 800 } };
export const phone = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

/** The addresses of an organisation's lists: of each tab those below it. @param path the organisation's page */
export async function listsOfOrganisation({ page, go }: Pick<BrowserSession, "page" | "go">, path: string) {
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  await go(path);
  const lists: string[] = [];
  for (const tab of (await hrefs("main .tabs a")).slice(1)) {
    await go(tab);
    lists.push(...(await hrefs("main nav.lists a")));
  }
  return lists;
}

/** @param path page to open after sign-in */
export async function signInBrowser(
  browser: Browser,
  { url, token, path = "/" }: { url: string; token: string; path?: string },
  options: BrowserContextOptions = laptop,
): Promise<BrowserSession> {
  const context = await openContext(browser, options);
  const complaints: string[] = [];
  const origins = new Set<string>();
  let signedIn = false;
  context.on("console", (message) => {
    // Before sign-in the browser logs the expected 401.
    if (signedIn && ["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => origins.add(new URL(request.url()).origin));
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByLabel("Operator token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  signedIn = true;
  await settled(page);
  return {
    page,
    context,
    async open(to) {
      await page.goto(url + to);
      await settled(page);
    },
    async go(to) {
      await changePage(page, to);
      await settled(page);
    },
    async close() {
      await context.close();
      return { complaints, origins: [...origins] };
    },
  };
}

/** A session of an operator in the browser for all tests of a file. */
export function sessionOfFile(
  browser: { browser: Browser },
  console: { testServer: { url: string }; token: string },
  isExpected: (complaint: string) => boolean = () => false,
): BrowserSession {
  return ofFile(
    async (session) => {
      const { testServer, token } = console;
      Object.assign(session, await signInBrowser(browser.browser, { url: testServer.url, token }));
    },
    async ({ close }) => {
      const { complaints = [] } = (await close?.()) ?? {};
      expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
    },
  );
}

/** Waits until all queries of the page have data. */
export async function settled(page: Page): Promise<void> {
  await seen(page.locator("main h1"));
  await seen(page.locator(".liveness.live"));
  await eventually(async () => (await page.locator("main .loading").count()) === 0);
  await painted(page);
}

/** Labels of the buttons of operator actions, from their sources. */
export function labelsOfActions(): string[] {
  const folder = "src/front/console/actions";
  const sources = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  return sources.flatMap((source) => [...source.matchAll(/title: "(.*)"/g)].map(([, title]) => `${title}…`));
}

/** Fills in and confirms the dialog of an operator action, with a reason made of its title. Returns the message of the dialog. */
export async function performAction(
  page: Page,
  title: string,
  entries: Record<string, string> = {},
  within: Locator = page.locator("main"),
): Promise<string> {
  const button = within.getByRole("button", { name: `${title}…`, exact: true, includeHidden: true });
  await openMenuOf(button);
  await button.click();
  const dialog = page.getByRole("dialog", { name: title });
  for (const [label, value] of Object.entries(entries)) {
    const field = dialog.getByLabel(new RegExp(`^${label}`));
    const isChoice = (await field.evaluate((element) => element.tagName)) === "SELECT";
    if (isChoice) {
      const option = field.locator("option").filter({ hasText: value }).first();
      await field.selectOption(await option.evaluate((each) => (each as unknown as { value: string }).value));
    } else await field.fill(value);
  }
  await dialog.getByLabel("Reason").fill(`Because of ${title}`);
  await dialog.getByRole("button", { name: title, exact: true }).click();
  const secret = dialog.locator("pre.secret");
  const message = await secret.or(dialog.locator("[role=status], [role=alert]")).first().innerText();
  if ((await secret.count()) > 0) await giveUp(dialog);
  else {
    const close = dialog.getByRole("button", { name: /^(Close|Cancel)$/ });
    await close.last().click();
  }
  return message;
}
