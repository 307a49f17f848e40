/**
 * `npm run console:screenshots`: each page of the operators' console, light and dark, with the data of
 * test/support/console-fixture.ts and of history.ts.
 */
import type { BrowserContextOptions } from "playwright-core";
import { mutation } from "../../test/console/operator-action-cases.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { startCluster, stopCluster } from "../../test/support/cluster.ts";
import { mintToken, testConsole } from "../../test/support/console.ts";
import { consoleFixture, openConsoleServices, pagesOf } from "../../test/support/console-fixture.ts";
import { laptop, phone, signInBrowser } from "../../test/support/console-page.ts";
import { settled } from "../../test/support/portal-page.ts";
import { emptyFolder, keepShown } from "../screenshots.ts";
import { history } from "./history.ts";

await startCluster();
const office = await openConsoleServices();
const fixture = await consoleFixture(office, office.db.poolAs("runner"));
await history(office.db, {
  organisation: fixture.harbour.organisation.id,
  endpoint: fixture.harbourEndpoint.id,
  bot: fixture.harbour.bot,
  person: fixture.harbour.organisation.ownerId,
});
const testServer = await testConsole(office.db, { BASE_URL: office.api.url });
const { text: token } = await mintToken(office.db, "act", "Otto Operator");
const browser = await launchBrowser();

async function takeScreenshots(paths: [name: string, path: string][], options: BrowserContextOptions): Promise<void> {
  const session = await signInBrowser(browser, { url: testServer.url, token }, { ...options, reducedMotion: "reduce" });
  for (const [name, path] of paths) {
    await session.open(path);
    await session.page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" });
  }
  await session.close();
}

await performActions();
const folder = emptyFolder("console");
const {
  members: _members,
  approvals: _approvals,
  runs: _runs,
  "audit-log": _auditLog,
  person: _person,
  ...shown
} = pagesOf(fixture);
const pages = { ...shown, organisation: `/organisations/${fixture.harbour.organisation.id}` };
for (const colorScheme of ["light", "dark"] as const) {
  await takeScreenshots(
    Object.entries(pages).map(([name, path]) => [`${name}-${colorScheme}`, path]),
    { ...laptop, colorScheme },
  );
  await takeScreenshots([[`overview-phone-${colorScheme}`, "/"]], { ...phone, colorScheme });
  await screenshotActionDialog(colorScheme);
  await screenshotViewAs(colorScheme);
  await screenshotSignIn(colorScheme);
}
keepShown("console");
await browser.close();
await testServer.stop();
await office.close();
await stopCluster();

function mutate(name: string, input: object) {
  return testServer.ask(mutation(name), token, { input });
}

function viewAs() {
  return mutate("viewAs", {
    organisation: fixture.harbour.organisation.id,
    person: fixture.harbour.organisation.ownerId,
    reason: "Ticket: sees no bots.",
  });
}

/** Performs a few operator actions, so that the operator log has entries. */
async function performActions(): Promise<void> {
  const [lighthouse, harbour] = [fixture.lighthouse.organisation.id, fixture.harbour.organisation.id];
  await mutate("cancelRun", {
    organisation: fixture.workshop.who.organisation.id,
    run: fixture.runs.working,
    reason: "It loops; its person asked us by telephone to stop it.",
  });
  await mutate("resumeEndpoint", {
    organisation: lighthouse,
    endpoint: fixture.disabledEndpoint.id,
    reason: "Their receiver answers again since 02:50.",
  });
  await mutate("setLimit", {
    organisation: harbour,
    name: "runStartsPerHour",
    maximum: 240,
    reason: "They migrate this week and import twice.",
  });
  await viewAs();
}

/** The dialog of an operator action, filled in but not confirmed. */
async function screenshotActionDialog(colorScheme: "light" | "dark"): Promise<void> {
  const { page, close } = await signInBrowser(
    browser,
    { url: testServer.url, token, path: `/endpoints/${fixture.failingEndpoint.id}` },
    { ...laptop, colorScheme },
  );
  await page.getByRole("button", { name: "Recover deliveries…" }).click();
  await page
    .getByRole("dialog")
    .getByLabel("Reason")
    .fill("Their receiver was down from 2 to 4; they say it answers again.");
  await page.screenshot({ path: `${folder}/operator-action-${colorScheme}.png` });
  await close();
}

/** "View as": the portal of a person, opened by the link of the operator action. */
async function screenshotViewAs(colorScheme: "light" | "dark"): Promise<void> {
  const { data } = await viewAs();
  const page = await browser.newPage({ ...laptop, colorScheme });
  await page.goto(data.viewAs.result.url);
  await settled(page);
  await page.screenshot({ path: `${folder}/view-as-${colorScheme}.png`, animations: "disabled" });
  await page.close();
}

async function screenshotSignIn(colorScheme: "light" | "dark"): Promise<void> {
  const page = await browser.newPage({ ...laptop, colorScheme });
  await page.goto(testServer.url);
  await page.screenshot({ path: `${folder}/sign-in-${colorScheme}.png` });
  await page.close();
}
