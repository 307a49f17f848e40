/** The consent page in a real Chromium, reached from the site of a client. (docs/specification/oauth.md#consent) */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { browserOfFile, desktop, openContext, phone, picture } from "../support/browser.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { exchange, oauthOfFile, pkce, queryOf } from "../support/oauth.ts";
import { seen } from "../support/page-change.ts";
import { checkPage } from "../support/page-walk.ts";
import { portalSessionsOf } from "../support/portal-session.ts";

const here = apiOfFile();
const at = oauthOfFile(here);
const chromium = browserOfFile();
const { aLink } = portalSessionsOf(here);

/** The client's site. Browsers hold localhost and 127.0.0.1 for different sites. */
let site: Server;
let siteUrl: string;
let start = "";
beforeAll(async () => {
  site = createServer((request, response) => {
    const body = request.url === "/start" ? start : "<h1>Back at the client</h1>";
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>Client</title>${body}`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site.close());

const asking = () => {
  const { verifier, challenge } = pkce();
  const callback = `${siteUrl}/callback`;
  const clientId = at.client({ redirect_uris: [callback] });
  const query = queryOf(at, clientId, challenge, { redirect_uri: callback });
  const form = {
    grant_type: "authorization_code",
    client_id: clientId,
    redirect_uri: callback,
    code_verifier: verifier,
  };
  return { address: `${at.api.url}/oauth/authorize?${query}`, form: { ...form, resource: at.resource } };
};

/** A browser in which the person has opened the portal. Expects no message in its console. */
async function inPortal(
  options: BrowserContextOptions,
  work: (page: Page, ada: Member) => Promise<void>,
): Promise<void> {
  const ada = await here.owner();
  await ada.patch("/organisation", { name: "Harbour & Co" });
  const context = await openContext(chromium.browser, options);
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  try {
    const page = await context.newPage();
    const token = new URL((await aLink(ada)).url).hash.slice(1);
    await page.goto(`${at.api.url}/healthz`);
    const entered = await page.request.post(`${at.api.url}/portal/enter`, { data: { token } });
    expect(entered.status()).toBe(200);
    await work(page, ada);
  } finally {
    await context.close();
  }
  expect(complaints).toEqual([]);
}

chromium.test("a person comes from the client's site, gives it a key and is taken back to it", async () => {
  const { address, form } = asking();
  start = `<a href="${address.replaceAll("&", "&amp;")}">Connect</a>`;
  await inPortal({ ...desktop, colorScheme: "light" }, async (page, ada) => {
    await page.goto(`${siteUrl}/start`);
    await page.getByRole("link", { name: "Connect" }).click();
    await seen(page.getByRole("heading", { name: `Give localhost:${at.documents.port} access?` }));
    const words = await page.locator("main").innerText();
    for (const part of [
      ...[`localhost:${at.documents.port}, which calls itself Elephant Desk, asks for access to Harbour & Co.`],
      ...["Olga Owner", "on this computer", "of at most 20", "It changes nothing.", "sends messages to bots"],
      "invites and removes members",
    ])
      expect(words).toContain(part);
    await picture(page, "consent-desktop-light");
    await checkPage(page, "consent", async () => {});
    await page.getByRole("button", { name: "Allow" }).click(); // without a choice
    expect(await page.getByRole("group", { name: "It may" }).locator(":invalid").count()).toBeGreaterThan(0);
    expect((await ada.get("/keys")).body.data).toHaveLength(1);
    await page.getByLabel("Read and write").check();
    await page.getByLabel("Its access ends after").selectOption("7");
    await page.getByRole("button", { name: "Allow" }).click();
    await seen(page.getByRole("heading", { name: "Back at the client" }));
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["as sent", at.api.url]);
    const { status, body } = await exchange(at.api, { ...form, code: searchParams.get("code") ?? "" });
    expect([status, body.scope]).toEqual([200, "write"]);
    expect((await ada.get("/keys")).body.data).toHaveLength(2);
  });
});

chromium.test("without JavaScript on a phone, a person refuses by keyboard", async () => {
  const { address } = asking();
  await inPortal({ ...phone, javaScriptEnabled: false }, async (page, ada) => {
    await page.goto(address);
    await seen(page.getByRole("heading", { name: "access?" }));
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.getByRole("button", { name: "Refuse" }).focus();
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "Back at the client" }));
    expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
    expect((await ada.get("/keys")).body.data).toHaveLength(1);
  });
});

chromium.test("a page of another site cannot show the consent page in a frame", async () => {
  const { address } = asking();
  const consent = address.replace("/oauth/authorize", "/portal/consent");
  start = `<iframe src="${consent.replaceAll("&", "&amp;")}"></iframe>`;
  const context = await openContext(chromium.browser, desktop);
  const page = await context.newPage();
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(`${siteUrl}/start`);
  await refused;
  expect(await page.frameLocator("iframe").locator("form").count()).toBe(0);
  await context.close();
});

chromium.test("without a portal session, the page says to open the portal, and leads back", async () => {
  const { address } = asking();
  const ada = await here.owner();
  const context = await openContext(chromium.browser, desktop);
  const page = await context.newPage();
  await page.goto(address);
  await seen(page.getByRole("heading", { name: "Open the portal first" }));
  expect(await violationsOf(page)).toEqual([]);
  const token = new URL((await aLink(ada)).url).hash.slice(1);
  await page.request.post(`${at.api.url}/portal/enter`, { data: { token } });
  await page.getByRole("link", { name: "Try again" }).click();
  await seen(page.getByRole("heading", { name: "access?" }));
  await context.close();
});
