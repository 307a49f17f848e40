/** An operator in a browser: signs in as one does, and whatever the browser complains of is a fault of ours. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { eventually } from "./worker.ts";

export type Seat = {
  page: Page;
  context: BrowserContext;
  /** Goes to a page of the console and waits until it shows what it was asked for. */
  visit(path: string): Promise<void>;
  /** Leaves, and answers what the browser complained of and whom it asked. */
  leave(): Promise<{ complaints: string[]; origins: string[] }>;
};

export const laptop = { viewport: { width: 1280, height: 800 } };
export const phone = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

/** @param path where to; the page for signing in stands in its place, and leads there */
export async function takeSeat(
  browser: Browser,
  { url, token, path = "/" }: { url: string; token: string; path?: string },
  options: BrowserContextOptions = laptop,
): Promise<Seat> {
  const context = await browser.newContext(options);
  const complaints: string[] = [];
  const origins = new Set<string>();
  let signedIn = false;
  context.on("console", (message) => {
    // That whoever is not signed in is answered 401 is how it should be.
    if (signedIn && ["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => origins.add(new URL(request.url()).origin));
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByLabel("An operator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  signedIn = true;
  await settled(page);
  return {
    page,
    context,
    async visit(to) {
      await page.goto(url + to);
      await settled(page);
    },
    async leave() {
      await context.close();
      return { complaints, origins: [...origins] };
    },
  };
}

/** Everything that the page asked for is there: nothing is loading any more, and it says as of when. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.locator(".liveness.live").waitFor();
  await eventually(async () => (await page.locator("main .loading").count()) === 0);
}
