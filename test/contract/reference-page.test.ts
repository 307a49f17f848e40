/** The reference page in a real browser: it shows the whole contract, and its forms call the same server. */
import type { Page } from "playwright-core";
import { operations } from "../../src/contract/operations.ts";
import { browserOfFile } from "../support/browser.ts";
import { apiOfFile, type Member } from "../support/callers.ts";

const here = apiOfFile();
const chromium = browserOfFile();

/** The page and its problems: errors of the browser, including its security policy, and requests to other origins. */
async function open(options: Parameters<typeof chromium.browser.newContext>[0] = {}): Promise<[Page, string[]]> {
  const page = await (await chromium.browser.newContext(options)).newPage();
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => request.url().startsWith(here.api.url) || faults.push(request.url()));
  await page.goto(`${here.api.url}/docs`);
  return [page, faults];
}

const formOf = (page: Page, operation: string) => page.locator(`#${operation} form`);

async function send(page: Page, operation: string): Promise<string> {
  await formOf(page, operation).getByRole("button").click();
  const output = formOf(page, operation).locator("output");
  await output.locator("strong").waitFor();
  await formOf(page, operation).locator("button:enabled").waitFor(); // the whole response has arrived
  return output.innerText();
}

async function withKey(page: Page, { key }: Member): Promise<void> {
  await page.getByLabel(/^Your key/).fill(key.text);
}

chromium.test("the page describes every operation and loads nothing from other origins", async () => {
  const [page, faults] = await open();
  for (const { name, summary } of operations) {
    expect(await page.locator(`article#${name} h3`).innerText()).toBe(summary);
  }
  expect(await page.locator("article form:visible").count()).toBe(operations.length + 1);
  expect(await page.locator("article#rotate_key li").allInnerTexts()).toContain(
    "conflict, key_revoked: The key is revoked.",
  );
  expect(faults).toEqual([]);
});

chromium.test("a form sends its request to the API and shows the response", async () => {
  const ada = await here.owner();
  const [page, faults] = await open();
  await withKey(page, ada);
  const made = await send(page, "create_bot");
  expect(made).toContain("201 Created");
  expect(made).toMatch(/x-request-id: \S+/);
  const bots = await here.db.sql<{ id: string; name: string }>(
    "select id, name from app.bots where organisation_id = $1",
    [ada.organisation.id],
  );
  expect(bots.map(({ name }) => name)).toEqual(["Harbour guide"]);

  await formOf(page, "get_bot")
    .getByLabel(/^id/)
    .fill(bots[0]?.id ?? "");
  expect(await send(page, "get_bot")).toContain('"name": "Harbour guide"');
  await formOf(page, "list_bots")
    .getByLabel(/^limit/)
    .fill("1");
  expect(await send(page, "list_bots")).toContain('"nextCursor": null');
  await formOf(page, "delete_bot")
    .getByLabel(/^id/)
    .fill(bots[0]?.id ?? "");
  expect(await send(page, "delete_bot")).toContain('"deleted": true');
  expect(faults).toEqual([]);
});

chromium.test("the form of watch_run shows events as they arrive", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  const [page, faults] = await open();
  await withKey(page, ada);
  await formOf(page, "watch_run").getByLabel(/^id/).fill(run.id);
  const shown = send(page, "watch_run");
  await formOf(page, "watch_run").getByText("event: state").waitFor();
  await ada.post(`/runs/${run.id}/cancel`);
  expect(await shown).toMatch(/event: state\n[\s\S]+event: end\n/);
  expect(faults).toEqual([]);
});

chromium.test("a form shows a refusal like any response, and the key is lost on reload", async () => {
  const ada = await here.owner();
  const [page] = await open();
  expect(await send(page, "get_me")).toContain("unauthenticated");
  await withKey(page, ada);
  expect(await send(page, "get_me")).toContain("200 OK");
  await page.reload();
  expect(await send(page, "get_me")).toContain("unauthenticated");
  expect(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")).toBe(0);
});

chromium.test("the page fits a phone, and a form works by keyboard", async () => {
  const ada = await here.owner();
  const [page] = await open({ viewport: { width: 360, height: 740 } });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  await withKey(page, ada);
  await formOf(page, "create_memory").getByLabel("Body").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await formOf(page, "create_memory").locator("strong", { hasText: "201" }).waitFor();
});

chromium.test("without JavaScript the page shows all text and no form", async () => {
  const [page] = await open({ javaScriptEnabled: false });
  expect(await page.locator("article h3").count()).toBeGreaterThan(operations.length);
  expect(await page.locator("form:visible").count()).toBe(0);
});

test("the page's policy allows only its own origin and no frames", async () => {
  const { headers } = await fetch(`${here.api.url}/docs`);
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'",
  );
});
