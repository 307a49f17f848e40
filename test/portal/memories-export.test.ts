/** The export of memories in Chromium: all that match the filters, whole or not at all, and importable again. */
import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright-core";
import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile(undefined, { own: true });
const { test } = here.chromium;

type Memory = { id: string; subject: string };
const count = 450;

beforeAll(async () => {
  const { ask } = here.data.who;
  const memories = Array.from({ length: count }, (_, at) => ({
    ...{ externalId: `${at}`, scope: "organisation", kind: "fact", subject: `Buoy ${at % 3}` },
    value: `It was lit in ${1500 + at}.`,
  }));
  await ask("POST", "/memories/import", { memories });
});

const button = (page: Page) => page.getByRole("main").getByRole("button", { name: "Export JSON lines", exact: true });
async function exported(page: Page): Promise<Memory[]> {
  const download = page.waitForEvent("download");
  await button(page).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("memories.jsonl");
  const text = readFileSync(await file.path(), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
/** All rows of the API's list. */
async function listed(query: string): Promise<Memory[]> {
  const rows: Memory[] = [];
  for (let cursor = ""; ; ) {
    const { data, nextCursor } = (await here.data.who.ask("GET", `/memories?limit=200${query}${cursor}`)).body;
    rows.push(...data);
    if (nextCursor === null) return rows;
    cursor = `&cursor=${nextCursor}`;
  }
}
const isExport = (route: Route) => route.request().headers().accept === "application/x-ndjson";
/** Lets these handlers answer one export each, in this order. */
const answers = (page: Page, ...handlers: ((route: Route) => Promise<unknown>)[]) =>
  page.route(/\/api\/v1\/memories/, (route) =>
    isExport(route) ? (handlers.shift()?.(route) ?? route.continue()) : route.continue(),
  );
/** The response breaks off in the middle of a line. */
const cutAfter = (lines: number) => async (route: Route) => {
  const response = await route.fetch();
  const all = (await response.text()).split("\n");
  const body = [...all.slice(0, lines), all[lines]?.slice(0, 20)].join("\n");
  await route.fulfill({ response, body });
};

test("the export has every memory that matches the filters, loaded or not, and its import changes nothing", () =>
  here.portal(async ({ page, open }) => {
    const all = await listed("");
    expect(all.length).toBeGreaterThan(count);
    await open("/portal/memories");
    expect(await exported(page)).toEqual(all);
    await seen(page.getByText("The export has all matching memories."));
    for (const query of ["subject=Buoy%201", "kind=policy&scope=organisation", "q=buoy%202", "provenance=import"]) {
      await open(`/portal/memories?${query}`);
      const rows = await exported(page);
      expect([query, rows.length > 0, rows]).toEqual([query, true, await listed(`&${query}`)]);
    }
    const before = await here.office.db.sql("select * from app.memories order by organisation_id, id");
    const content = all.map((memory) => `${JSON.stringify(memory)}\n`).join("");
    await open("/portal/memories/import");
    const file = { name: "memories.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(content) };
    await page.getByLabel("File with JSON lines").setInputFiles(file);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await seen(page.getByText(`The import has ended. Lines: ${all.length}.`));
    const result = page.getByRole("region", { name: "Result" }).locator("dd");
    expect((await result.allInnerTexts()).map((text) => text.trim())).toEqual(["0", `${all.length}`, "0"]);
    expect(await here.office.db.sql("select * from app.memories order by organisation_id, id")).toEqual(before);
  }));

test("an export that breaks off is continued after its last whole line", () =>
  here.portal(async ({ page, open }) => {
    const all = await listed("&kind=fact");
    await open("/portal/memories?kind=fact");
    const cursors: (string | null)[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (request.headers().accept === "application/x-ndjson") cursors.push(url.searchParams.get("cursor"));
    });
    await answers(page, cutAfter(201), cutAfter(3));
    expect(await exported(page)).toEqual(all);
    expect(cursors).toEqual([null, all[200]?.id, all[203]?.id]);
  }));

test("an export that stays incomplete saves nothing, and says so", () =>
  here.portal(async ({ page, open }) => {
    let downloads = 0;
    page.on("download", () => {
      downloads += 1;
    });
    const broken = page.getByText("The export broke off, and nothing is saved. Try again.");
    await open("/portal/memories");
    await answers(page, cutAfter(2), cutAfter(0));
    await button(page).click();
    await seen(broken);
    await open("/portal/memories?q=buoy");
    await answers(page, cutAfter(2)); // a search has no position after which it continues
    await button(page).click();
    await seen(broken);
    await page.unrouteAll();
    const limited = { error: { code: "rate_limited", message: "Too many requests." } };
    await answers(page, (route) => route.fulfill({ status: 429, json: limited }));
    await button(page).click();
    await seen(page.getByText("These are too many requests. Wait a minute, then try again."));
    await answers(page, () => new Promise(() => {}));
    await button(page).click();
    await seen(page.getByText("Exporting… 0 memories read"));
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Stop");
    await page.keyboard.press("Enter");
    await seen(button(page));
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Export JSON lines");
    expect(downloads).toBe(0);
  }));

test("a member exports what the member can read", async () => {
  const { who, member } = here.data;
  const own = await listed("");
  const bot = (await who.ask("POST", "/bots", { name: "Mine", visibility: "personal" })).body.id;
  const hidden = { scope: "bot", botId: bot, kind: "note", subject: "Tea", value: "Black" };
  const { id } = (await who.ask("POST", "/memories", hidden)).body;
  const session = { personId: member };
  await here.portal(
    async ({ page, open }) => {
      await open("/portal/memories");
      const rows = await exported(page);
      expect(rows.map((row) => row.id)).toEqual(own.map((row) => row.id));
      expect(rows.map((row) => row.id)).not.toContain(id);
    },
    { session },
  );
});
