/** The operators' page in a real Chromium, over what the real API and worker have made of a night. */
import { browserOfFile } from "../support/browser.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { type Seat, settled, takeSeat } from "../support/console-page.ts";
import { consoleScene, openNight, type Scene } from "../support/console-scene.ts";
import { makeKey } from "../support/database.ts";
import type { Customer, PostOffice } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const chromium = browserOfFile();
let office: PostOffice;
let scene: Scene;
let here: TestConsole;
let token: string;
let seat: Seat;

beforeAll(async () => {
  office = await openNight();
  [scene, here] = await Promise.all([consoleScene(office, office.db.poolAs("runner")), testConsole(office.db)]);
  token = (await mintToken(office.db, "act", "Otto")).text;
  seat = await takeSeat(chromium.browser, { url: here.url, token });
}, 60_000);
afterAll(async () => {
  await here?.stop();
  await office?.close();
});

const main = () => seat.page.locator("main").innerText();
const heading = () => seat.page.locator("main h1").innerText();
const adminKey = ({ organisation: { id, ownerId } }: Customer) => makeKey(office.db, id, ownerId, "admin");
const path = () => new URL(seat.page.url()).pathname + new URL(seat.page.url()).search;

chromium.test("what is wrong stands on one screen, worst first, with what to do and where to look", async () => {
  await seat.visit("/");
  const text = await main();
  expect(text).toMatch(/Lighthouse Ltd[\s\S]*resume it and recover what it missed/);
  expect(text).toMatch(/Live keys[\s\S]*Tidewater Trading[\s\S]*3 of 3 are used/);
  expect(text).toMatch(/basement-2[\s\S]*has not said for a minute that it lives/);
  const items = seat.page.locator(".troubles li");
  const severities = await items.evaluateAll((all) => all.map(({ className }) => className));
  expect(severities).toEqual(severities.toSorted());
  expect(severities).toContain("critical");
  await seat.page.getByRole("navigation", { name: "Kinds of trouble" }).getByRole("link", { name: "Ceilings" }).click();
  await seat.page.waitForURL("**/?matter=ceilings");
  expect(await seat.page.locator(".troubles").innerText()).not.toContain("basement-2");
});

chromium.test("plots tell what has happened within their span, and as a table too", async () => {
  await seat.visit("/?span=1h");
  const attempts = await office.db.sql<{ arrived: number; failed: number }>(
    `select count(*) filter (where status_code < 300)::integer as arrived,
       count(*) filter (where status_code >= 300)::integer as failed from app.delivery_attempts`,
  );
  const plot = seat.page.locator("figure", { hasText: "Deliveries by outcome" });
  expect(await plot.locator(".legend").innerText()).toBe(
    `arrived ${attempts[0]?.arrived}\nfailed ${attempts[0]?.failed}`,
  );
  expect(await plot.getByRole("img").getAttribute("aria-label")).toMatch(/^Deliveries by outcome: at most \d+$/);
  await plot.getByText("Numbers").click();
  expect(await plot.locator("tbody tr").first().innerText()).toMatch(/\d\d:\d\d to \d\d:\d\d UTC\s+\d+\s+\d+/);
  expect(await seat.page.locator("figure", { hasText: "Latency" }).locator("text").first().innerHTML()).toMatch(
    /\d ms$/,
  );
});

chromium.test("an organisation's page tells how it stands; each of its lists is a link of its own", async () => {
  const { organisation } = scene.tidewater;
  await seat.visit("/organisations");
  await seat.page.getByRole("link", { name: "Tidewater Trading" }).click();
  await settled(seat.page);
  expect(await heading()).toBe("Tidewater Trading");
  expect(await seat.page.title()).toBe("Tidewater Trading · Botstead console");
  expect(await main()).toMatch(/Live keys\s+3 of 3/);
  await seat.page.getByRole("link", { name: "Keys", exact: true }).click();
  await settled(seat.page);
  expect(path()).toBe(`/organisations/${organisation.id}?tab=keys`);
  expect(await main()).toMatch(/Import\s+bsk_\w{8}\s+read\s+live\s+olga@tidewater/);
  await seat.visit(`/organisations/${scene.harbour.organisation.id}?tab=invitations`);
  expect(await main()).toMatch(/wren@harbour\.example\s+member\s+open/);
  await seat.visit(`/organisations/${scene.harbour.organisation.id}?tab=trail`);
  expect(await main()).toMatch(/olga@harbour\.example\s+\w+ invitations?\s/);
});

chromium.test("from an endpoint in trouble to the delivery that failed and each attempt at it", async () => {
  await seat.visit(`/endpoints/${scene.failingEndpoint.id}`);
  expect(await main()).toMatch(/active\s+Lighthouse Ltd/);
  await seat.page.getByRole("link", { name: "Failed", exact: true }).click();
  await eventually(
    async () => (await seat.page.getByRole("table", { name: "Deliveries" }).locator("tbody tr").count()) === 1,
  );
  await seat.page.getByRole("link", { name: "run.finished" }).click();
  await settled(seat.page);
  expect(path()).toBe(`/deliveries/${scene.failed}`);
  const attempts = seat.page.getByRole("table").locator("tbody tr");
  expect(await attempts.count()).toBe(5);
  expect(await attempts.first().innerText()).toMatch(/^1\s+\d\d:\d\d:\d\d .*ms\s+failed HTTP 500/);
});

chromium.test("an endpoint's trail tells who did what to it, and leads to the request that did", async () => {
  const { failingEndpoint, lighthouse } = scene;
  const { text: key } = await adminKey(lighthouse);
  const ask = (body: object) => office.api.call("PATCH", `/webhooks/${failingEndpoint.id}`, { key, body });
  const paused = (await ask({ state: "paused" })).headers.get("x-request-id");
  expect((await ask({ state: "active" })).status).toBe(200);
  await seat.visit(`/endpoints/${failingEndpoint.id}`);
  const rows = seat.page.getByRole("table", { name: "What was done to it" }).locator("tbody tr");
  const told = await rows.allInnerTexts();
  expect(told[0]).toMatch(/olga@lighthouse\.example\s+updated\s.*state: paused → active/);
  expect(told[1]).toMatch(/olga@lighthouse\.example\s+updated\s.*state: active → paused/);
  expect(told.at(-1)).toMatch(/olga@lighthouse\.example\s+created\s/);
  await rows.nth(1).getByRole("link").last().click();
  await settled(seat.page);
  expect(path()).toBe(`/requests/${paused}`);
  const text = await main();
  expect(text).toMatch(/Asked by\s+olga@lighthouse\.example\s+With the key\s+…\w+\s+Of\s+Lighthouse Ltd/);
  expect(text).toMatch(/updated webhook\w*\s+…\w+\s.*state: active → paused/);
  expect(text).not.toContain("paused → active");
  await seat.page.getByRole("row").last().getByRole("link").click();
  await seat.page.waitForURL(`**/endpoints/${failingEndpoint.id}`);
});

chromium.test(
  "search leads to a request's page, of one that was refused too: what was answered, and that nothing changed",
  async () => {
    const { text: key } = await adminKey(scene.harbour);
    const found = async (email: string, status: number) => {
      const idempotencyKey = crypto.randomUUID();
      const body = { email, role: "member" };
      const reply = await office.api.call("POST", "/invitations", { key, body, idempotencyKey });
      expect(reply.status).toBe(status);
      const id = reply.headers.get("x-request-id");
      await seat.visit(`/search?q=${id}`);
      await seat.page.waitForURL(`**/requests/${id}`);
      await settled(seat.page);
      return main();
    };
    expect(await found("knot@harbour.example", 201)).toMatch(/Answered\s+HTTP 201[\s\S]*created invitations?\s+…\w+/);
    expect(await found(scene.harbour.organisation.email, 409)).toMatch(
      /Answered\s+conflict[\s\S]*The trail has nothing of it/,
    );
  },
);

chromium.test("a run's page tells its state, steps, cost and cards, and no word of what was said", async () => {
  await seat.visit(`/runs/${scene.runs.waiting}`);
  const text = await main();
  expect(text).toMatch(/waiting approval\s+Workshop Nine/);
  expect(text).toMatch(/Steps\s+1 of 50\s+Cost\s+€0\.0120 of €2\.00/);
  expect(text).toMatch(/question\s+pending/);
  expect(text).not.toMatch(/nets|May I|not mine to decide/);
  await seat.visit(`/runs/${scene.runs.failed}`);
  expect(await main()).toMatch(/failed[\s\S]*Failed of\s+executor failed/);
});

chromium.test("who works and what waits: executors, workers, jobs and queues", async () => {
  await seat.visit("/work");
  const text = await main();
  expect(text).toMatch(/basement-2\s+silent\s+tern/);
  expect(text).toMatch(/session \d+\s+alive/);
  expect(text).toMatch(/Lighthouse Ltd\s+active/); // at its endpoint a delivery waits
  await seat.visit("/mails");
  expect(await main()).toMatch(/invitation\s+wren@harbour\.example\s+Harbour & Co/);
});

chromium.test("/ goes to the search from everywhere; one thing found is shown at once, of several a list", async () => {
  const search = async (words: string) => {
    await seat.page.locator("main h1").waitFor();
    await seat.page.keyboard.press("/");
    await seat.page.keyboard.type(words);
    await seat.page.keyboard.press("Enter");
    await seat.page.waitForURL(/\/search/);
  };
  await seat.visit("/mails");
  await search(scene.delivered);
  await seat.page.waitForURL(`**/deliveries/${scene.delivered}`);
  await search(scene.lighthouse.organisation.email);
  await seat.page.waitForURL((url) => url.pathname !== "/search" || url.search.includes("%40"));
  await settled(seat.page);
  expect(await main()).toContain(scene.lighthouse.organisation.email);
  await search("lighthouse");
  await seat.page.waitForURL(`**/organisations/${scene.lighthouse.organisation.id}`);
  await search("nobody knows this");
  await seat.page.getByText("Nothing here goes by that.").waitFor();
});

chromium.test(
  "a shared link leads through signing in to the page, the filter and the span it was shared with",
  async () => {
    const shared = `/endpoints/${scene.failingEndpoint.id}?deliveries=failed`;
    const other = await takeSeat(chromium.browser, { url: here.url, token, path: shared });
    const shown = new URL(other.page.url());
    expect(shown.pathname + shown.search).toBe(shared);
    expect(await other.page.locator("[aria-current=true]").innerText()).toBe("Failed");
    await other.page.getByRole("button", { name: "Sign out" }).click();
    await other.page.getByLabel("An operator's token").waitFor();
    expect((await other.context.cookies()).map(({ value }) => value).join("")).toBe("");
    await other.context.close();
  },
);

chromium.test(
  "what changes arrives without reloading; cut off, the page says so and keeps what was true",
  async () => {
    await seat.visit(`/organisations/${scene.harbour.organisation.id}?tab=invitations`);
    await seat.page.evaluate('document.title = "never loaded again"');
    await scene.harbour.ask("POST", "/invitations", { email: "kite@harbour.example", role: "admin" });
    await seat.page.getByText("kite@harbour.example").waitFor({ timeout: 10_000 });
    expect(await seat.page.title()).toBe("never loaded again");
    await seat.context.setOffline(true);
    await seat.page.getByText(/^Cut off: as of \d\d:\d\d:\d\d UTC/).waitFor({ timeout: 15_000 });
    expect(await main()).toContain("kite@harbour.example");
    await seat.context.setOffline(false);
    await seat.page.locator(".liveness.live").waitFor({ timeout: 15_000 });
  },
  60_000,
);

chromium.test("lists go on by cursor, with nothing twice and nothing left out", async () => {
  await office.db.sql(
    `insert into app.bots (organisation_id, name, owner_id)
     select $1, 'Tern ' || n, $2 from generate_series(1, 60) n`,
    [scene.harbour.organisation.id, scene.harbour.organisation.ownerId],
  );
  await seat.visit(`/organisations/${scene.harbour.organisation.id}?tab=bots`);
  const names = () => seat.page.locator("tbody td:first-child").allInnerTexts();
  const first = await names();
  await seat.page.getByRole("link", { name: "Next page" }).click();
  await seat.page.waitForURL(/after=/);
  await settled(seat.page);
  const all = [...first, ...(await names())];
  expect(first).toHaveLength(50);
  expect(all.filter((name) => /^Tern/.test(name)).toSorted()).toEqual(
    Array.from({ length: 60 }, (_, index) => `Tern ${index + 1}`).toSorted(),
  );
  await seat.page.reload();
  await settled(seat.page);
  expect(await names()).toEqual(all.slice(50));
});

chromium.test("what is not there is said in words, and so is an address that no page has", async () => {
  await seat.visit("/");
  const nobody = "01234567-89ab-7def-8123-456789abcdef";
  for (const kind of ["organisations", "endpoints", "deliveries", "runs", "people"]) {
    await seat.page.goto(`${here.url}/${kind}/${nobody}`);
    await seat.page
      .getByText(`There is no ${{ people: "person", deliveries: "delivery" }[kind] ?? kind.slice(0, -1)} ${nobody}`)
      .waitFor();
  }
  expect((await fetch(`${here.url}/assets/another-version/main.ts`)).status).toBe(404);
});

// The last one: it holds for all that has been done above.
chromium.test("no page complained, asked another origin, or met its own policy", async () => {
  const { complaints, origins } = await seat.leave();
  expect(complaints.filter((words) => !/ERR_INTERNET_DISCONNECTED/.test(words))).toEqual([]); // that was the cut
  expect(origins).toEqual([here.url]);
});
