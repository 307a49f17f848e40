/** What does not load in the operators' page: data, the session, and a page that throws. Each says so, with "Try again". */
import type { Page, Route } from "playwright-core";
import { browserOfFile } from "../support/browser.ts";
import { consoleWithDataOfFile } from "../support/console-fixture.ts";
import { type BrowserSession, settled, signInBrowser } from "../support/console-page.ts";
import { changePage, seen } from "../support/page-change.ts";
import { eventually } from "../support/worker.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();

async function session(work: (session: BrowserSession) => Promise<void>): Promise<void> {
  const opened = await signInBrowser(chromium.browser, { url: here.testServer.url, token: here.token });
  await work(opened).finally(() => opened.close());
}
const alerts = (page: Page) => page.locator("main [role=alert]");
const retry = (page: Page) => page.getByRole("main").getByRole("button", { name: "Try again" });

chromium.test("each page whose data does not load has Try again at each failure, which loads it at once", () =>
  session(async ({ page }) => {
    const { fixture } = here;
    const organisation = fixture.harbour.organisation.id;
    const paths = [
      "/",
      "/organisations",
      `/organisations/${organisation}`,
      `/endpoints/${fixture.failingEndpoint.id}`,
      `/deliveries/${fixture.failed}`,
      `/runs/${fixture.runs.completed}`,
      `/requests/${fixture.request}`,
      "/deliveries-and-runs",
      "/email",
      "/operator-log",
      `/people/${fixture.harbour.organisation.ownerId}`,
      "/search?q=harbour",
    ];
    const wrong: string[] = [];
    for (const path of paths) {
      await page.route("**/graphql", (route) => route.abort());
      await changePage(page, path);
      await seen(alerts(page));
      await eventually(async () => (await page.locator("main .loading").count()) === 0);
      const count = await alerts(page).count();
      if ((await retry(page).count()) !== count) wrong.push(`${path}: ${count} failures`);
      await page.unroute("**/graphql");
      await retry(page).first().focus();
      await page.keyboard.press("Enter");
      await settled(page);
      if (await page.evaluate("document.activeElement === document.body")) wrong.push(`${path}: the focus is lost`);
      if ((await alerts(page).count()) > 0) wrong.push(`${path}: still fails`);
    }
    expect(wrong).toEqual([]);
  }),
);

chromium.test("a page that throws keeps the navigation, and works again by Try again", () =>
  session(async ({ page }) => {
    await page.route("**/graphql", (route) => route.fulfill({ json: { data: { organisations: { nodes: [null] } } } }));
    await page.getByRole("link", { name: "Organisations", exact: true }).click();
    await seen(page.getByRole("heading", { name: "This page failed" }));
    await page.unroute("**/graphql");
    await retry(page).click();
    await seen(page.getByRole("heading", { level: 1, name: "Organisations" }));
    await settled(page);
  }),
);

chromium.test("a session that does not load is shown with Try again", () =>
  session(async ({ page }) => {
    await page.route("**/session", (route) => route.abort());
    await page.reload();
    await seen(retry(page));
    await page.unroute("**/session");
    await retry(page).click();
    await settled(page);
  }),
);

chromium.test("a program, or a file that it imports, that is missing or does not arrive is said by the document", () =>
  session(async ({ page }) => {
    const document = await (await page.request.get(here.testServer.url)).text();
    const program = document.match(/<script type="module" src="([^"]+)"/)?.[1] ?? "";
    const imported = document.match(/<link rel="modulepreload" href="([^"]+)"/)?.[1] ?? "";
    const failures: ((route: Route) => Promise<void>)[] = [
      (route) => route.fulfill({ status: 404 }),
      (route) => route.abort(),
    ];
    for (const file of [program, imported]) {
      for (const fail of failures) {
        await page.route(`**${file}`, fail);
        await page.goto(`${here.testServer.url}/organisations`);
        await seen(page.getByRole("heading", { level: 1, name: "This page did not load" }));
        await page.unroute(`**${file}`);
        await retry(page).click();
        await seen(page.getByRole("heading", { level: 1, name: "Organisations" }));
      }
    }
  }),
);
