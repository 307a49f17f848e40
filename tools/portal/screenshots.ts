/**
 * `npm run portal:screenshots`: each page of the portal, light and dark, some on a phone, some dialogs and the search.
 */
import type { BrowserContextOptions } from "playwright-core";
import { linkOf } from "../../test/support/approvals.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { startCluster, stopCluster } from "../../test/support/cluster.ts";
import { laptop, phone } from "../../test/support/console-page.ts";
import { tokenOf } from "../../test/support/invitations.ts";
import { portalData, portalPagesOf } from "../../test/support/portal-data.ts";
import { openPortal, type PortalTab } from "../../test/support/portal-page.ts";
import { openPostOffice } from "../../test/support/post-office.ts";
import { emptyFolder, keepShown } from "../screenshots.ts";

/** Buttons that open a dialog, by page. */
const dialogs: [name: string, page: string, button: string][] = [
  ["endpoint-edit", "endpoint", "Edit…"],
  ["key-revoke", "key", "Revoke key…"],
];
const onPhone = ["overview", "runs", "endpoint"];

await startCluster();
const office = await openPostOffice({ worker: false });
const data = await portalData(office, office.db.poolAs("runner"), undefined, "heron");
const browser = await launchBrowser();

const openTab = (options: BrowserContextOptions): Promise<PortalTab> =>
  openPortal(browser, { url: office.api.url, who: data.who }, { ...options, reducedMotion: "reduce" });

async function takeScreenshots(paths: [name: string, path: string][], options: BrowserContextOptions): Promise<void> {
  const tab = await openTab(options);
  for (const [name, path] of paths) {
    await tab.open(path);
    const loading = tab.page.locator(".loading");
    while ((await loading.count()) > 0) await loading.first().waitFor({ state: "detached" });
    await tab.page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" });
  }
  await tab.close();
}

/** Dialogs, and the search with what it finds. */
async function takeDialogs(colorScheme: "light" | "dark"): Promise<void> {
  const { page, open, close } = await openTab({ ...laptop, colorScheme });
  for (const [name, pageName, button] of dialogs) {
    await open(portalPagesOf(data)[pageName] ?? "");
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").waitFor();
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, animations: "disabled" });
  }
  await open("/portal/");
  await page.getByRole("button", { name: /^Search/ }).click();
  await page.keyboard.type("crane");
  await page.getByRole("listbox").getByRole("option").nth(2).waitFor();
  await page.screenshot({ path: `${folder}/search-${colorScheme}.png`, animations: "disabled" });
  await close();
}

/** The pages that mails link to. */
async function takePagesOfMails(colorScheme: "light" | "dark"): Promise<void> {
  const invitation = (await data.who.ask("GET", "/invitations")).body.data[0].id;
  const paths = {
    "answer-approval": `approval/${await linkOf(office.db, data.approval)}`,
    "accept-invitation": `invitation/${await tokenOf(office.db, invitation)}`,
  };
  for (const [name, path] of Object.entries(paths)) {
    const page = await browser.newPage({ ...laptop, colorScheme });
    await page.goto(`${office.api.url}/${path}`);
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
    await page.close();
  }
}

const folder = emptyFolder("portal");
const pages = Object.entries(portalPagesOf(data));
for (const colorScheme of ["light", "dark"] as const) {
  await takeScreenshots(
    pages.map(([name, path]) => [`${name}-${colorScheme}`, path]),
    { ...laptop, colorScheme },
  );
  await takeScreenshots(
    pages.filter(([name]) => onPhone.includes(name)).map(([name, path]) => [`${name}-phone-${colorScheme}`, path]),
    { ...phone, colorScheme },
  );
  await takeDialogs(colorScheme);
  await takePagesOfMails(colorScheme);
}
keepShown("portal");
await browser.close();
await office.close();
await stopCluster();
