/** The export page in Chromium: its file verifies by the code of the command line, breaks are continued, and only owners see it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Download, Page, Request, Route } from "playwright-core";
import { verifyExport } from "../../src/transparency/verification/exports.ts";
import { logSigner, tamper, testCheckpoints } from "../support/checkpoints.ts";
import { makeKey, makeMember } from "../support/database.ts";
import { seen } from "../support/page-change.ts";
import { checkPage } from "../support/page-walk.ts";
import { openPortal, type PortalTab, portalOfFile } from "../support/portal-page.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { own: true });
const { test } = here.chromium;
const home = mkdtempSync(join(tmpdir(), "botstead-export-page-"));
let sign: () => Promise<unknown>;

beforeAll(async () => {
  await tamper(
    here.office.db,
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
     select '${here.data.who.organisation.id}', 'organisation', 'fact', 'We', 'Grüße ' || number, 'member', 'test', '' from generate_series(1, 3500) number`,
  );
  const job = testCheckpoints(here.office.db);
  sign = () => job.run();
});
afterAll(async () => {
  await killPrograms();
  rmSync(home, { recursive: true, force: true });
});

const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
const begin = (page: Page) => button(page, "Export the organisation").click();
const waiting = (page: Page) => seen(page.getByText("Waiting until the audit log signs"));
const row = (page: Page) => page.getByRole("table", { name: "Exports, newest first" }).locator("tbody tr").first();
/** The number of the part that a request makes. */
const partOf = (request: Request): number | undefined =>
  request.url().endsWith("/parts") ? request.postDataJSON().part : undefined;
/** Numbers of the parts that the page requests. */
function requestedParts(page: Page): number[] {
  const parts: number[] = [];
  page.on("request", (request) => {
    const part = partOf(request);
    if (part) parts.push(part);
  });
  return parts;
}
/** Lets this handler answer the first request for the part. */
async function atPart(page: Page, part: number, handle: (route: Route) => Promise<unknown>): Promise<void> {
  let isDone = false;
  await page.route(/\/parts$/, async (route) => {
    if (isDone || partOf(route.request()) !== part) return route.fallback();
    isDone = true;
    await handle(route);
  });
}
/** The folder of the archive. */
async function unpacked(download: Download): Promise<string> {
  execFileSync("tar", ["-xf", await download.path(), "-C", home]);
  return join(home, download.suggestedFilename().replace(/\.tar$/, ""));
}
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

test("an owner saves an export that verifies, and a lost connection or the rate limit loses no part", () =>
  here.portal(async ({ page, open }) => {
    const parts = requestedParts(page);
    await open("/portal/");
    await page.getByRole("link", { name: "Export the organisation" }).click();
    await seen(page.getByText("No exports yet."));
    await atPart(page, 2, (route) => route.abort());
    const limited = { error: { code: "rate_limited", message: "Too many requests." } };
    await atPart(page, 3, (route) => route.fulfill({ status: 429, json: limited }));
    await begin(page);
    await seen(page.getByRole("alert").getByText("The service cannot be reached. Check your connection."));
    const saved = page.waitForEvent("download");
    await button(page, "Try again").click();
    await waiting(page);
    const last = parts.at(-1) ?? 0;
    expect(last).toBeGreaterThan(3);
    expect(parts).toEqual([1, 2, 2, 3, 3, ...upTo(last).slice(3)]);
    await sign();
    const folder = await unpacked(await saved);
    expect(verifyExport(folder, [logSigner])).toMatchObject({ parts: last, withheld: 0, faults: [] });
    await seen(page.getByText(`Saved. Parts: ${last}.`));
    await eventually(async () => new RegExp(`Olga Owner\\s+finished\\s+${last}\\s`).test(await row(page).innerText()));
    const again = page.waitForEvent("download");
    await button(page, "Save again").click();
    expect(verifyExport(await unpacked(await again), [logSigner]).faults).toEqual([]);
  }));

test("without a signature the file is saved without the proof, which the command adds", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/export");
    await begin(page);
    await waiting(page);
    const saved = page.waitForEvent("download");
    await button(page, "Save without the proof").click();
    const folder = await unpacked(await saved);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["export.json", "manifest.json", "parts.jsonl"]));
    expect(readdirSync(folder)).not.toContain("proof.json");
    await sign();
    const env = { BOTSTEAD_URL: here.office.api.url, BOTSTEAD_KEY: here.data.who.key };
    expect(await runProgram(["export", folder], { cwd: home, env }).ending).toMatchObject({ code: 0 });
    expect(verifyExport(folder, [logSigner]).faults).toEqual([]);
  }));

test("Stop and leaving the page end the reading, Continue reads the rest, and an expired export is begun again", () =>
  here.portal(async ({ page, open, go }) => {
    await open("/portal/export");
    const parts = requestedParts(page);
    let release = (): void => {};
    /** The page is in the middle of a part until it is released. */
    const pauseAt = async (part: number) => {
      const reached = page.waitForRequest((request) => partOf(request) === part);
      const open = new Promise<void>((over) => {
        release = over;
      });
      await atPart(page, part, (route) => open.then(() => route.continue().catch(() => {})));
      return { reached };
    };
    const second = await pauseAt(2);
    await begin(page);
    await second.reached;
    await seen(page.getByText(/^Part \d …$/));
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Stop");
    await button(page, "Stop").click();
    await seen(page.getByText("Stopped. Parts read: 1."));
    release();
    const third = await pauseAt(3);
    await button(page, "Continue").click();
    await third.reached;
    expect(parts).toEqual([1, 2, 2, 3]);
    await here.office.db.sql("update app.exports set expires_at = now() where finished_at is null");
    release();
    await seen(page.getByRole("alert").getByText("The export has expired. Begin again."));
    expect(await button(page, "Try again").count()).toBe(0);
    await eventually(async () => /Olga Owner\s+expired/.test(await row(page).innerText()));
    const fourth = await pauseAt(4);
    await begin(page);
    await fourth.reached;
    await go("/portal/");
    release();
    await go("/portal/export");
    expect(parts).toEqual([1, 2, 2, 3, 1, 2, 3, 4]);
    await checkPage(page, "export", () => go("/portal/export"));
  }));

test("an owner who becomes an admin during the export sees why, and exports no more", async () => {
  const { db } = here.office;
  const { id } = here.data.who.organisation;
  const tab = await tabOf("owner");
  await tab.open("/portal/export");
  await atPart(tab.page, 3, async (route) => {
    await db.sql("update app.memberships set role = 'admin' where organisation_id = $1 and person_id = $2", [
      id,
      tab.person,
    ]);
    await route.continue();
  });
  await begin(tab.page);
  await seen(tab.page.getByText("Only an owner can export the organisation, in a session of their own."));
  expect((await tab.close()).complaints).toEqual([]);
});

/** A session that the person's own key opened. */
async function tabOf(role: "owner" | "admin", session: object = {}): Promise<PortalTab & { person: string }> {
  const { db, api } = here.office;
  const organisation = here.data.who.organisation.id;
  const person = await makeMember(db, organisation, role);
  const key = (await makeKey(db, organisation, person, "admin")).text;
  const ask = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { key, body, idempotencyKey: crypto.randomUUID() });
  return { person, ...(await openPortal(here.chromium.browser, { url: api.url, who: { ask }, session })) };
}

test("an admin and a session of one section have no export", async () => {
  for (const tab of [await tabOf("admin"), await tabOf("owner", { sections: ["overview"] })]) {
    await seen(tab.page.getByRole("heading", { name: "Overview" }));
    expect(await tab.page.getByRole("link", { name: "Export the organisation" }).count()).toBe(0);
    await tab.open("/portal/export");
    await seen(tab.page.getByText("Only an owner can export the organisation, in a session of their own."));
    expect(await button(tab.page, "Export the organisation").count()).toBe(0);
    await tab.close();
  }
});
