/** The page of events in Chromium: newest first, and live. */
import { testApi } from "../support/api.ts";
import { makeEvents } from "../support/events.ts";
import { seen } from "../support/page-change.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { own: true });
const { test } = here.chromium;
const whose = () => ({ organisationId: here.data.who.organisation.id });
const sendTest = () => here.data.who.ask("POST", `/webhooks/${here.data.endpoint}/test`);

test("events are listed newest first, with data and links, filtered by kind and page by page", () =>
  here.portal(async ({ page, open }) => {
    const made = await makeEvents(here.office.db, whose(), { count: 250 });
    await open("/portal/events");
    const rows = page.getByRole("table").locator("tbody tr");
    const count = async () => Number.parseInt(await page.locator(".table-foot span").first().innerText(), 10);
    await seen(page.getByText("100 rows loaded"));
    expect(await rows.first().locator("summary").innerText()).toBe("run.finished");
    const times = await rows.locator("time").evaluateAll((all) => all.map((time) => time.getAttribute("datetime")));
    expect(times).toEqual(times.toSorted().toReversed());
    const more = page.getByRole("button", { name: "Load more" });
    await more.click();
    await eventually(async () => (await count()) === 200);
    await more.click();
    // Not by the button alone, whose name is different while a page loads.
    await eventually(async () => (await count()) > made.length && (await more.count()) === 0);
    await page.getByRole("combobox", { name: "Event" }).selectOption("approval.needed");
    await page.waitForURL("**event=approval.needed");
    await settled(page);
    await eventually(async () => (await rows.first().locator("summary").innerText()) === "approval.needed");
    for (const text of await rows.locator("summary").allInnerTexts()) expect(text).toBe("approval.needed");
    await rows.first().locator("summary").click();
    await seen(rows.first().getByText('"runId"'));
    await rows.first().getByRole("link", { name: "run", exact: true }).click();
    await page.waitForURL(`**/portal/runs/${here.data.runs.waiting}`);
  }));

test("an event appears without a reload, above the others, with links to its endpoint and delivery", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/events");
    await seen(page.getByText("Live", { exact: true }));
    const { id } = (await sendTest()).body;
    const row = page.locator(`tr:has(a[href="/portal/endpoints/deliveries/${id}"])`);
    await seen(row);
    expect(await page.getByRole("table").locator("tbody tr").first().innerText()).toBe(await row.innerText());
    await row.getByRole("link", { name: "endpoint", exact: true }).click();
    await seen(page.getByRole("heading", { name: "Crane" }));
  }));

test("a lost connection is announced and made again, and the events in between appear", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/events");
    await seen(page.getByText("Live", { exact: true }));
    const { api, db, settings } = here.office;
    await api.stop();
    await seen(page.getByText("Connection lost, connecting again"));
    await makeEvents(db, whose(), { kind: "key.revoked" });
    const again = await testApi(db, { ...settings, PORT: new URL(api.url).port });
    await seen(page.getByText("Live", { exact: true }));
    await eventually(
      async () => (await page.getByRole("table").locator("summary").first().innerText()) === "key.revoked",
    );
    await again.stop();
  }));
