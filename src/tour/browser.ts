/** The person of the tour at the page of a card: in a Chromium where there is one, else by the page's own form. */
import { existsSync } from "node:fs";
import { asTold } from "./teller.ts";

const browsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Reads the page and approves. Answers what was seen, in lines. @throws NotAsTold when the page is another.
 * @param candidates where a browser may lie
 */
export async function answerPage(link: string, candidates = browsers): Promise<string[]> {
  const executablePath = candidates.find((path) => existsSync(path));
  return (executablePath && (await inBrowser(link, executablePath))) || byForm(link);
}

/** Undefined where the browser can't be started. */
async function inBrowser(link: string, executablePath: string): Promise<string[] | undefined> {
  const { chromium } = await import("playwright-core").catch(() => ({ chromium: undefined }));
  // As root Chromium has no sandbox to enter; what it is shown here is a page of ours alone.
  const sandboxed = process.getuid?.() !== 0;
  const browser = await chromium?.launch({ executablePath, chromiumSandbox: sandboxed }).catch(() => undefined);
  if (!browser) return undefined;
  try {
    const page = await browser.newPage();
    await page.goto(link);
    const quoted = await page.locator("blockquote").first().innerText();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor({ timeout: 10_000 });
    return [`In ${executablePath}: "${quoted}", Approve is pressed, and the page says: Approved.`];
  } finally {
    await browser.close();
  }
}

async function byForm(link: string): Promise<string[]> {
  const answered = await fetch(link, { method: "POST", body: new URLSearchParams({ answer: "approved" }) });
  const page = await answered.text();
  asTold(page.includes("<h1>Approved</h1>"), "the page says that it is approved", page);
  return ["No browser was found here, so its form is sent as a browser would: the page says Approved."];
}
