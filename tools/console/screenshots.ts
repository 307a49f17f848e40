/**
 * `npm run console:screenshots`: renews docs/console/*.png, each page of the operators' console, light and dark, over
 * what a night has made (test/support/console-scene.ts) and a day before it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { type BrowserContextOptions, chromium } from "playwright-core";
import { startCluster, stopCluster } from "../../test/support/cluster.ts";
import { mintToken, testConsole } from "../../test/support/console.ts";
import { laptop, phone, takeSeat } from "../../test/support/console-page.ts";
import { consoleScene, openNight, pagesOf } from "../../test/support/console-scene.ts";
import { history } from "./history.ts";

const folder = "docs/console";

await startCluster();
const office = await openNight();
const scene = await consoleScene(office, office.db.poolAs("runner"));
await history(office.db, {
  organisation: scene.harbour.organisation.id,
  endpoint: scene.harbourEndpoint.id,
  bot: scene.harbour.bot,
  person: scene.harbour.organisation.ownerId,
});
const here = await testConsole(office.db);
const { text: token } = await mintToken(office.db, "act", "Otto Operator");
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  chromiumSandbox: process.getuid?.() !== 0, // as root there is none to enter
});

async function pictures(paths: [name: string, path: string][], options: BrowserContextOptions): Promise<void> {
  const seat = await takeSeat(browser, { url: here.url, token }, { ...options, reducedMotion: "reduce" });
  for (const [name, path] of paths) {
    await seat.visit(path);
    await seat.page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" });
  }
  await seat.leave();
}

await actsDone();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { members: _members, cards: _cards, runs: _runs, trail: _trail, person: _person, ...shown } = pagesOf(scene);
const pages = { ...shown, organisation: `/organisations/${scene.harbour.organisation.id}` };
for (const colorScheme of ["light", "dark"] as const) {
  await pictures(
    Object.entries(pages).map(([name, path]) => [`${name}-${colorScheme}`, path]),
    { ...laptop, colorScheme },
  );
  await pictures([[`now-phone-${colorScheme}`, "/"]], { ...phone, colorScheme });
  await act(colorScheme);
  await look(colorScheme);
  await signIn(colorScheme);
}
await browser.close();
await here.stop();
await office.close();
await stopCluster();

/** A few acts, and a look as a person, so that there is something in the list of them. */
async function actsDone(): Promise<void> {
  const say = (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    return here.ask(`mutation Act($input: ${type}!) { ${name}(input: $input) { result } }`, token, { input });
  };
  const [lighthouse, harbour] = [scene.lighthouse.organisation.id, scene.harbour.organisation.id];
  await say("cancelRun", {
    organisation: scene.workshop.who.organisation.id,
    run: scene.runs.working,
    reason: "It turns in a circle; its person asked us by telephone.",
  });
  await say("resumeEndpoint", {
    organisation: lighthouse,
    endpoint: scene.disabledEndpoint.id,
    reason: "Their receiver answers again since 02:50.",
  });
  await say("setLimit", {
    organisation: harbour,
    ceiling: "hourly_run_ceiling",
    value: 240,
    reason: "They move house this week and import twice.",
  });
  await say("viewAs", { organisation: harbour, person: scene.member, path: "/bots", reason: "Ticket: sees no bots." });
}

/** The dialog of an act, as far as it goes before it is done. */
async function act(colorScheme: "light" | "dark"): Promise<void> {
  const { page, leave } = await takeSeat(
    browser,
    { url: here.url, token, path: `/endpoints/${scene.failingEndpoint.id}` },
    { ...laptop, colorScheme },
  );
  await page.getByRole("button", { name: "Recover deliveries…" }).click();
  await page.getByLabel("Reason").fill("Their receiver was down from 2 to 4; they say it answers again.");
  await page.screenshot({ path: `${folder}/act-${colorScheme}.png` });
  await leave();
}

/** What a person sees, after somebody has looked. */
async function look(colorScheme: "light" | "dark"): Promise<void> {
  const path = pagesOf(scene)["view-as"] ?? "";
  const { page, leave } = await takeSeat(browser, { url: here.url, token, path }, { ...laptop, colorScheme });
  await page.getByLabel("What to look at").fill("/bots");
  await page.getByLabel("Reason").fill("Ticket: sees no bots.");
  await page.getByRole("button", { name: "Look" }).click();
  await page.getByRole("heading", { name: "GET /bots" }).waitFor();
  await page.screenshot({ path: `${folder}/view-as-${colorScheme}.png` });
  await leave();
}

async function signIn(colorScheme: "light" | "dark"): Promise<void> {
  const page = await browser.newPage({ ...laptop, colorScheme });
  await page.goto(here.url);
  await page.screenshot({ path: `${folder}/sign-in-${colorScheme}.png` });
  await page.close();
}
