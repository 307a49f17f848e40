/** Approves on the approval page: in Chromium if it is installed, otherwise by posting the page's form. */
import { existsSync } from "node:fs";
import { expectThat } from "./report.ts";

export const browsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Opens the page and approves. Returns lines for the report. @throws UnexpectedResult if the page is not the expected one
 * @param candidates paths of browsers
 */
export async function answerPage(link: string, candidates = browsers): Promise<string[]> {
  const executablePath = candidates.find((path) => existsSync(path));
  return (executablePath && (await inBrowser(link, executablePath))) || byForm(link);
}

/** Undefined if the browser does not start. */
async function inBrowser(link: string, executablePath: string): Promise<string[] | undefined> {
  const { chromium } = await import("playwright-core").catch(() => ({ chromium: undefined }));
  // Chromium has no sandbox for root. It only opens our own page here.
  const sandboxed = process.getuid?.() !== 0;
  const browser = await chromium?.launch({ executablePath, chromiumSandbox: sandboxed }).catch(() => undefined);
  if (!browser) return undefined;
  try {
    const page = await browser.newPage();
    await page.goto(link);
    const quoted = await page.locator("blockquote").first().innerText();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor({ timeout: 10_000 });
    return [`In ${executablePath}: "${quoted}", the tour presses Approve, and the page says: Approved.`];
  } finally {
    await browser.close();
  }
}

async function byForm(link: string): Promise<string[]> {
  const answered = await fetch(link, { method: "POST", body: new URLSearchParams({ answer: "approved" }) });
  const page = await answered.text();
  expectThat(page.includes("<h1>Approved</h1>"), "the page says that it is approved", page);
  return ["No browser found, so the tour posts the form of the page: the page says Approved."];
}
