/** Lists of the operators' page, which the server sorts, filters and pages. */
import { browserOfFile } from "../support/browser.ts";
import { consoleWithDataOfFile } from "../support/console-fixture.ts";
import { type BrowserSession, listsOfOrganisation, settled, signInBrowser } from "../support/console-page.ts";
import { seen } from "../support/page-change.ts";
import { customer } from "../support/post-office.ts";
import { serverLists } from "../support/server-lists.ts";
import { eventually } from "../support/worker.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();
let session: BrowserSession;

beforeAll(async () => {
  session = await signInBrowser(chromium.browser, { url: here.testServer.url, token: here.token });
});

const openFilters = () => session.page.getByRole("button", { name: /^Filters/ }).click();
const query = () => new URL(session.page.url()).searchParams;
const cells = (table: string) =>
  session.page.getByRole("table", { name: table }).locator("tbody td:first-child").allInnerTexts();

/**
 * Runs in the page, which takes a fraction of the time of single presses. Every sort of a list's head and every option of
 * its filters, one after the other, each until its query is answered. Returns what was tried, and the errors shown.
 */
const tryEverything = `(async () => {
  const frame = () => new Promise((painted) => requestAnimationFrame(painted));
  if (!globalThis.unanswered) {
    globalThis.unanswered = new Set();
    const { fetch } = globalThis;
    globalThis.fetch = (...call) => {
      const answer = fetch(...call);
      unanswered.add(answer);
      answer.catch(() => {}).finally(() => unanswered.delete(answer));
      return answer;
    };
  }
  const settled = async () => {
    do await frame();
    while (unanswered.size > 0 || document.querySelector("main .loading") || !document.querySelector(".liveness.live"));
    await frame();
  };
  const [tried, errors] = [[], []];
  const check = (what) => {
    tried.push(what);
    for (const { textContent } of document.querySelectorAll("main [role=alert]")) errors.push(what + ": " + textContent);
  };
  const heads = () => [...document.querySelectorAll("main th button.sort")];
  const sort = () => new URLSearchParams(location.search).get("sort");
  const names = heads().map(({ textContent }) => textContent);
  for (const [index, name] of names.entries()) {
    const before = sort();
    heads()[index].click();
    while (sort() === before) await frame();
    await settled();
    check(name);
    if (heads().length < names.length) { // no row is left
      history.back();
      while (heads().length < names.length) await frame();
    }
  }
  for (const [index] of document.querySelectorAll("main search .filters select").entries()) {
    const select = () => document.querySelectorAll("main search .filters select")[index];
    const choose = async (value) => {
      select().value = value;
      select().dispatchEvent(new Event("change", { bubbles: true }));
      await settled();
    };
    for (const value of [...select().options].map(({ value }) => value)) {
      if (value === "" || value === "custom") continue;
      await choose(value);
      check(value);
    }
    await choose("");
  }
  return { tried, errors };
})()`;

async function expectEverythingWorks(): Promise<number> {
  const { tried, errors } = await session.page.evaluate<{ tried: string[]; errors: string[] }>(tryEverything);
  expect(errors).toEqual([]);
  return tried.length;
}

chromium.test("every list of an organisation sorts by each head and filters by each value", async () => {
  const path = `/organisations/${here.fixture.lighthouse.organisation.id}`;
  const addresses = await listsOfOrganisation(session, path);
  expect(addresses.length).toBe(serverLists.filter((name) => name.startsWith("organisation-")).length);
  let tried = 0;
  for (const address of addresses) {
    await session.go(address);
    tried += await expectEverythingWorks();
  }
  expect(tried).toBeGreaterThan(100);
});

chromium.test("the lists of the whole service sort by each head and filter by each value", async () => {
  for (const path of ["/organisations", "/email", "/email?emails=all", "/operator-log"]) {
    await session.go(path);
    expect(await expectEverythingWorks()).toBeGreaterThan(3);
  }
});

chromium.test("a sort is the server's, has an address, and goes back", async () => {
  await session.open("/organisations");
  await session.page.getByRole("button", { name: "Name" }).click();
  await eventually(async () => query().get("sort") === "NAME_ASC");
  await settled(session.page);
  const names = await cells("Organisations");
  expect(names.length).toBeGreaterThan(3);
  expect(names).toEqual(names.toSorted(new Intl.Collator("en").compare));
  expect(await session.page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
  await session.page.reload();
  await settled(session.page);
  expect(await cells("Organisations")).toEqual(names);
  await session.page.getByRole("button", { name: "Name" }).click();
  await eventually(async () => (await cells("Organisations")).join() === names.toReversed().join());
});

chromium.test("filters are chips that a click removes; a filter without rows says so", async () => {
  await session.open("/organisations");
  const all = await cells("Organisations");
  await session.page.getByLabel("Contains").fill("LIGHT");
  await eventually(async () => (await cells("Organisations")).join() === "Lighthouse Ltd");
  await openFilters();
  await session.page.getByLabel("Time").selectOption("Last hour");
  await eventually(async () => query().get("time") === "1h");
  await settled(session.page);
  expect(await cells("Organisations")).toEqual(["Lighthouse Ltd"]);
  await session.page.getByRole("combobox", { name: "State" }).selectOption("suspended");
  await seen(session.page.getByText("No rows match the filters."));
  await session.page.getByRole("button", { name: "Remove the filter State: suspended" }).click();
  await eventually(async () => (await cells("Organisations")).length === 1);
  await session.page.getByRole("button", { name: "Clear filters" }).click();
  await eventually(async () => (await cells("Organisations")).length === all.length);
  expect([...query().keys()]).toEqual([]);
});

chromium.test("a range from and to, in the reader's time, keeps only rows of the range", async () => {
  await session.open("/organisations");
  await openFilters();
  await session.page.getByLabel("Time").first().selectOption("From … to …");
  await session.page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
  await seen(session.page.getByText("No rows match the filters."));
  expect(query().get("to")).toMatch(/^20(19|20)-/);
  await session.page.getByLabel("To", { exact: true }).fill("2100-01-01T00:00");
  await eventually(async () => (await cells("Organisations")).length > 3);
  const time = session.page.locator("main tbody time").first();
  expect(await time.getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/);
});

chromium.test("a sort of a growing list by another column than its time sets a range", async () => {
  await session.open(`/organisations/${here.fixture.lighthouse.organisation.id}?tab=deliveries`);
  await session.page.getByRole("button", { name: "Attempts" }).click();
  await eventually(async () => query().get("time") === "7d");
  await seen(session.page.getByRole("button", { name: "Remove the filter Last 7 days" }));
});

chromium.test(
  "an empty list of an organisation says what it is for, and has what starts it or a link there",
  async () => {
    const { organisation } = await customer(here.office);
    const wrong: string[] = [];
    const empty: string[] = [];
    const state = session.page.locator("main .empty");
    for (const address of await listsOfOrganisation(session, `/organisations/${organisation.id}`)) {
      await session.go(address);
      if ((await state.count()) === 0) continue;
      empty.push(address);
      if ((await state.locator("p").count()) !== 2) wrong.push(`${address}: no purpose`);
      if ((await state.locator("a, button").count()) !== 1) wrong.push(`${address}: no start`);
      if ((await session.page.locator("main search").count()) > 0) wrong.push(`${address}: has filters`);
    }
    expect(wrong).toEqual([]);
    expect(empty.length).toBeGreaterThan(8);
    await session.go(`/organisations/${organisation.id}?tab=restrictions`);
    await state.getByRole("button", { name: "Restrict a kind…" }).click();
    await seen(session.page.getByRole("dialog", { name: "Restrict a kind" }));
    await session.page.keyboard.press("Escape");
  },
);
