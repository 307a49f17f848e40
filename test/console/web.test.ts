/** The operators' page in Chromium, with data of the real API and worker. */
import { linkOf, press, raiseApproval } from "../support/approvals.ts";
import { browserOfFile } from "../support/browser.ts";
import { consoleWithDataOfFile } from "../support/console-fixture.ts";
import { type BrowserSession, settled, signInBrowser } from "../support/console-page.ts";
import { makeKey } from "../support/database.ts";
import { seen } from "../support/page-change.ts";
import type { Customer } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();
let session: BrowserSession;

beforeAll(async () => {
  session = await signInBrowser(chromium.browser, { url: here.testServer.url, token: here.token });
});

const main = () => session.page.locator("main").innerText();
const heading = () => session.page.locator("main h1").innerText();
const adminKey = ({ organisation: { id, ownerId } }: Customer) => makeKey(here.office.db, id, ownerId, "admin");
const path = () => new URL(session.page.url()).pathname + new URL(session.page.url()).search;

chromium.test("the overview lists issues, critical first, with suggested actions and links", async () => {
  await session.open("/");
  const text = await main();
  expect(text).toMatch(/Lighthouse Ltd[\s\S]*resume it and recover its deliveries/);
  expect(text).toMatch(/Live keys[\s\S]*Tidewater Trading[\s\S]*3 of 3 used/);
  expect(text).toMatch(/basement-2[\s\S]*No heartbeat for a minute/);
  const items = session.page.locator(".issues li");
  const severities = await items.evaluateAll((all) => all.map(({ className }) => className));
  expect(severities).toEqual(severities.toSorted());
  expect(severities).toContain("critical");
  await session.page.getByRole("navigation", { name: "Issue groups" }).getByRole("link", { name: "Limits" }).click();
  await session.page.waitForURL("**/?group=limits");
  expect(await session.page.locator(".issues").innerText()).not.toContain("basement-2");
});

chromium.test("charts show the attempts of their span, and a table of the numbers", async () => {
  await session.open("/?span=1h");
  const attempts = await here.office.db.sql<{ succeeded: number; failed: number }>(
    `select count(*) filter (where status_code < 300)::integer as succeeded,
       count(*) filter (where status_code >= 300)::integer as failed from app.delivery_attempts`,
  );
  const plot = session.page.locator("figure", { hasText: "Deliveries by outcome" });
  await seen(plot.locator("canvas"));
  const column = async (nth: number) =>
    (await plot.locator(`.unseen tbody td:nth-child(${nth})`).allTextContents()).reduce(
      (sum, text) => sum + Number(text),
      0,
    );
  expect([await column(2), await column(3)]).toEqual([attempts[0]?.succeeded, attempts[0]?.failed]);
  // A line of a state has the colour of the state's badge.
  const colours = await session.page.evaluate<string[]>(
    `[...document.querySelectorAll("figure .u-marker")].map((marker) => getComputedStyle(marker).backgroundColor)`,
  );
  expect(colours.slice(1, 3)).toEqual(["rgb(22, 101, 52)", "rgb(176, 25, 31)"]);
  const latency = session.page.locator("figure", { hasText: "Delivery latency" }).locator(".unseen");
  expect(await latency.locator("thead th").allTextContents()).toEqual(["Time", "p50", "p95", "p99"]);
  expect((await latency.locator("tbody td").allTextContents()).join()).toMatch(/\d ms/);
});

chromium.test("an organisation's page shows its limits; each list has its own address", async () => {
  const { organisation } = here.fixture.tidewater;
  await session.open("/organisations");
  await session.page.getByRole("link", { name: "Tidewater Trading" }).click();
  await settled(session.page);
  expect(await heading()).toBe("Tidewater Trading");
  expect(await session.page.title()).toBe("Tidewater Trading · Botstead console");
  expect(await main()).toMatch(/Live keys\s+3 of 3/);
  const apart = session.page.getByRole("group", { name: "Actions" }).locator(".apart button");
  expect(await apart.allInnerTexts()).toEqual(["Erase a subject…", "Suspend…", "Schedule the deletion…"]);
  await session.page.getByRole("link", { name: "Access", exact: true }).click();
  await session.page.getByRole("link", { name: "Keys", exact: true }).click();
  await settled(session.page);
  expect(path()).toBe(`/organisations/${organisation.id}?tab=keys`);
  expect(await main()).toMatch(/Import\s+bsk_\w{8}\s+read\s+live\s+olga@tidewater/);
  await session.open(`/organisations/${here.fixture.harbour.organisation.id}?tab=invitations`);
  expect(await main()).toMatch(/wren@harbour\.example\s+member\s+open/);
  await session.open(`/organisations/${here.fixture.harbour.organisation.id}?tab=audit-log`);
  expect(await main()).toMatch(/olga@harbour\.example\s+\w+ invitations?\s/);
});

chromium.test("a failing endpoint links to its failed delivery, which lists each attempt", async () => {
  await session.open(`/endpoints/${here.fixture.failingEndpoint.id}`);
  expect(await main()).toMatch(/failing\s+Lighthouse Ltd/);
  expect(await session.page.locator("main .badge.bad").first().innerText()).toBe("failing");
  const filters = session.page.getByRole("search", { name: "Filters: Deliveries" });
  await filters.getByRole("button", { name: "Filters" }).click();
  await filters.getByRole("combobox", { name: "State" }).selectOption("failed");
  await eventually(
    async () => (await session.page.getByRole("table", { name: "Deliveries" }).locator("tbody tr").count()) === 1,
  );
  await session.page.getByRole("link", { name: "run.finished" }).click();
  await settled(session.page);
  expect(path()).toBe(`/deliveries/${here.fixture.failed}`);
  expect(await session.page.locator(".timeline li").allInnerTexts()).toEqual([
    expect.stringMatching(/^Created/),
    ...Array.from({ length: 5 }, (_, index) =>
      expect.stringMatching(`^Attempt ${index + 1} failed: HTTP 500 .* after \\d`),
    ),
  ]);
  const attempts = session.page.getByRole("table").locator("tbody tr");
  expect(await attempts.count()).toBe(5);
  expect(await attempts.first().innerText()).toMatch(/^1\s+.* ago\s+[\d.]+ m?s\s+failed HTTP 500/);
});

chromium.test("an endpoint's audit log names actor and change, and links to the request", async () => {
  const { failingEndpoint, lighthouse } = here.fixture;
  const { text: key } = await adminKey(lighthouse);
  const update = (body: object) => here.office.api.call("PATCH", `/webhooks/${failingEndpoint.id}`, { key, body });
  await update({ description: "Orders" });
  const paused = (await update({ state: "paused" })).headers.get("x-request-id");
  expect((await update({ state: "active" })).status).toBe(200);
  await session.open(`/endpoints/${failingEndpoint.id}`);
  const rows = session.page.getByRole("table", { name: "Audit log, newest first" }).locator("tbody tr");
  const texts = await rows.allInnerTexts();
  expect(texts[0]).toMatch(/olga@lighthouse\.example\s+updated\s.*state: paused → active/);
  expect(texts[1]).toMatch(/olga@lighthouse\.example\s+updated\s.*state: active → paused/);
  expect(texts.at(-1)).toMatch(/olga@lighthouse\.example\s+created\s/);
  expect(await heading()).toBe("Orders");
  await session.open(`/organisations/${lighthouse.organisation.id}?tab=endpoints`);
  expect(await main()).toMatch(/Orders\s+localhost:\d+\/hooks\/…\s/); // endpoints of one host
  await session.open(`/endpoints/${failingEndpoint.id}`);
  await rows.nth(1).getByRole("link").last().click();
  await settled(session.page);
  expect(path()).toBe(`/requests/${paused}`);
  const text = await main();
  expect(text).toMatch(/Caller\s+olga@lighthouse\.example\s+Key\s+…\w+\s+Organisation\s+Lighthouse Ltd/);
  expect(text).toMatch(/updated webhook\w*\s+…\w+\s.*state: active → paused/);
  expect(text).not.toContain("paused → active");
  await session.page.getByRole("row").last().getByRole("link").click();
  await session.page.waitForURL(`**/endpoints/${failingEndpoint.id}`);
});

chromium.test("search by request id opens its page with response and changes, also for a refused request", async () => {
  const { text: key } = await adminKey(here.fixture.harbour);
  const requestPage = async (email: string, status: number) => {
    const idempotencyKey = crypto.randomUUID();
    const body = { email, role: "member" };
    const reply = await here.office.api.call("POST", "/invitations", { key, body, idempotencyKey });
    expect(reply.status).toBe(status);
    const id = reply.headers.get("x-request-id");
    await session.open(`/search?q=${id}`);
    await session.page.waitForURL(`**/requests/${id}`);
    await settled(session.page);
    return main();
  };
  expect(await requestPage("knot@harbour.example", 201)).toMatch(
    /Response\s+HTTP 201[\s\S]*created invitations?\s+…\w+/,
  );
  expect(await requestPage(here.fixture.harbour.organisation.email, 409)).toMatch(
    /Response\s+conflict[\s\S]*No audit log entries/,
  );
});

chromium.test("the page of a request from an approval page names that page and no key", async () => {
  const approval = await raiseApproval(here.office.db, here.fixture.runs.waiting);
  expect((await press(here.office.api, await linkOf(here.office.db, approval), "refused")).status).toBe(200);
  const [entry] = await here.office.db.sql<{ request: string }>(
    "select request_id as request from app.audit_log where resource = 'approval' and resource_id = $1 and actor = 'approval'",
    [approval],
  );
  await session.open(`/requests/${entry?.request}`);
  const text = await main();
  expect(text).toMatch(/Caller\s+\S+@\S+\s+Approval page\s+…\w+\s+Organisation\s+/);
  expect(text).not.toMatch(/\bKey\b/);
});

chromium.test("a run's page shows state, steps, cost and approvals, but no conversation text", async () => {
  await session.open(`/runs/${here.fixture.runs.waiting}`);
  const text = await main();
  expect(text).toMatch(/waiting for approval\s+Workshop Nine/);
  expect(text).toMatch(/Steps\s+1 of 50\s+Cost\s+€0\.0120 of €2\.00/);
  expect(text).toMatch(/question\s+pending/);
  expect(text).not.toMatch(/nets|May I|not mine to decide/);
  await session.open(`/runs/${here.fixture.runs.failed}`);
  expect(await main()).toMatch(/failed[\s\S]*Error\s+executor failed/);
});

chromium.test("deliveries and runs shows executors, workers and queues; email shows unsent emails", async () => {
  await session.open("/deliveries-and-runs");
  const text = await main();
  expect(text).toMatch(/basement-2\s+silent\s+tern/);
  expect(text).toMatch(/session \d+\s+alive/);
  expect(text).toMatch(/Lighthouse Ltd\s+failing/); // its endpoint has a pending delivery
  await session.open("/email");
  expect(await main()).toMatch(/invitation\s+wren@harbour\.example\s+Harbour & Co/);
});

chromium.test("/ focuses the search; a single result opens its page, several are listed", async () => {
  const search = async (text: string) => {
    await settled(session.page);
    // A page with another query has another field, which gets the focus only once it is there.
    const { pathname, searchParams } = new URL(session.page.url());
    const query = pathname === "/search" ? searchParams.get("q") : "";
    await eventually(async () => (await session.page.locator(".top").getByRole("searchbox").inputValue()) === query);
    await session.page.keyboard.press("/");
    await session.page.keyboard.type(text);
    await session.page.keyboard.press("Enter");
  };
  await session.open("/email");
  await search(here.fixture.delivered);
  await session.page.waitForURL(`**/deliveries/${here.fixture.delivered}`);
  await search(here.fixture.lighthouse.organisation.email);
  await session.page.waitForURL(/\/search\?q=.*%40/);
  await settled(session.page);
  expect(await main()).toContain(here.fixture.lighthouse.organisation.email);
  await search("lighthouse");
  await session.page.waitForURL(`**/organisations/${here.fixture.lighthouse.organisation.id}`);
  await search("unknown text");
  await seen(session.page.getByText("No results."));
});

chromium.test("a shared link keeps its page and filter through sign-in", async () => {
  const shared = `/endpoints/${here.fixture.failingEndpoint.id}?state=failed`;
  const other = await signInBrowser(chromium.browser, { url: here.testServer.url, token: here.token, path: shared });
  const address = new URL(other.page.url());
  expect(address.pathname + address.search).toBe(shared);
  expect(
    await other.page
      .getByRole("search", { name: "Filters: Deliveries" })
      .getByRole("combobox", { name: "State" })
      .inputValue(),
  ).toBe("failed");
  await other.page.getByRole("button", { name: "Sign out" }).click();
  await seen(other.page.getByLabel("Operator token"));
  expect((await other.context.cookies()).map(({ value }) => value).join("")).toBe("");
  await other.context.close();
});

chromium.test("changes appear without reloading; offline, the page says so and keeps its data", async () => {
  await session.open(`/organisations/${here.fixture.harbour.organisation.id}?tab=invitations`);
  await session.page.evaluate('document.title = "never loaded again"');
  await here.fixture.harbour.ask("POST", "/invitations", { email: "kite@harbour.example", role: "admin" });
  await seen(session.page.getByText("kite@harbour.example"));
  expect(await session.page.title()).toBe("never loaded again");
  await session.context.setOffline(true);
  await seen(session.page.getByText(/^Connection lost: data as of \d+:\d\d:\d\d/));
  expect(await main()).toContain("kite@harbour.example");
  await session.context.setOffline(false);
  await seen(session.page.locator(".liveness.live"));
});

chromium.test("pages of a list contain each row once", async () => {
  await here.office.db.sql(
    `insert into app.bots (organisation_id, name, owner_id)
     select $1, 'Tern ' || n, $2 from generate_series(1, 60) n`,
    [here.fixture.harbour.organisation.id, here.fixture.harbour.organisation.ownerId],
  );
  await session.open(`/organisations/${here.fixture.harbour.organisation.id}?tab=bots`);
  const names = () => session.page.locator("tbody td:first-child").allInnerTexts();
  const first = await names();
  await session.page.getByRole("link", { name: "Next page" }).click();
  await session.page.waitForURL(/after=/);
  await settled(session.page);
  const all = [...first, ...(await names())];
  expect(first).toHaveLength(50);
  expect(all.filter((name) => /^Tern/.test(name)).toSorted()).toEqual(
    Array.from({ length: 60 }, (_, index) => `Tern ${index + 1}`).toSorted(),
  );
  await session.page.reload();
  await settled(session.page);
  expect(await names()).toEqual(all.slice(50));
});

chromium.test("unknown ids and unknown assets are reported as not found", async () => {
  await session.open("/");
  const unknownId = "01234567-89ab-7def-8123-456789abcdef";
  for (const kind of ["organisations", "endpoints", "deliveries", "runs", "people"]) {
    await session.page.goto(`${here.testServer.url}/${kind}/${unknownId}`);
    await seen(
      session.page.getByText(
        `There is no ${{ people: "person", deliveries: "delivery" }[kind] ?? kind.slice(0, -1)} ${unknownId}`,
      ),
    );
  }
  expect((await fetch(`${here.testServer.url}/front/another.js`)).status).toBe(404);
});

// Last: it covers all tests above.
chromium.test("no page logged an error or warning, or requested another origin", async () => {
  const { complaints, origins } = await session.close();
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]); // the offline test
  expect(origins).toEqual([here.testServer.url]);
});
