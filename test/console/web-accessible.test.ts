/** Accessibility of the operators' page: keyboard, phone, colour schemes, and axe. */
import { rulesOfColours, violationsOf } from "../support/axe.ts";
import { browserOfFile, openContext } from "../support/browser.ts";
import { consoleWithDataOfFile, pagesOf } from "../support/console-fixture.ts";
import {
  type BrowserSession,
  labelsOfActions,
  laptop,
  listsOfOrganisation,
  phone,
  settled,
  signInBrowser,
} from "../support/console-page.ts";
import { checkDialog, walkDialogs, withoutWrites } from "../support/dialog-walk.ts";
import { leased } from "../support/hand-executor.ts";
import { clickAction } from "../support/menu.ts";
import { seen } from "../support/page-change.ts";
import { checkPage, press, tabTo } from "../support/page-walk.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();

async function withSession(
  options: Parameters<typeof signInBrowser>[2],
  work: (session: BrowserSession) => Promise<void>,
): Promise<void> {
  const session = await signInBrowser(chromium.browser, { url: here.testServer.url, token: here.token }, options);
  await work(session);
  const { complaints, origins } = await session.close();
  expect(complaints).toEqual([]);
  expect(origins).toEqual([here.testServer.url]);
}

/** Every page, every tab of an organisation, and pages of things in other states. */
async function pathsOf(session: BrowserSession): Promise<[name: string, path: string][]> {
  const { harbour, tidewater, disabledEndpoint } = here.fixture;
  await here.office.db.sql(
    "update app.organisations set suspended_at = now(), deletion_at = now() + interval '9 days' where id = $1",
    [tidewater.organisation.id],
  );
  const tabs = await listsOfOrganisation(session, `/organisations/${harbour.organisation.id}`);
  const pages = Object.entries(pagesOf(here.fixture));
  const isNew = (tab: string) => !pages.some(([, path]) => path.endsWith(tab.replace(/^[^?]*/, "")));
  const others = [...tabs.filter(isNew), `/endpoints/${disabledEndpoint.id}`];
  return [...pages, ...others.map((path): [string, string] => [path, path])];
}

chromium.test("every page: axe reports no violation, it fits a phone, and Tab shows the focus on each element", () =>
  withSession(laptop, async (session) => {
    const { page, go } = session;
    for (const [name, path] of await pathsOf(session)) {
      await checkPage(page, name, () => go(path));
    }
  }),
);

chromium.test(
  "every dialog: axe reports no violation in light, dark and on a phone, and it holds and returns the focus",
  () =>
    withSession(laptop, async (session) => {
      const { page, go } = session;
      const { executor } = here.fixture.workshop;
      await here.office.db.sql("update app.executors set last_seen_at = now() where id = $1", [executor.id]);
      const running = `/runs/${(await leased(executor)).runId}`;
      const pressed = new Set<string>();
      await withoutWrites(page, async () => {
        for (const [, path] of [["", running], ...(await pathsOf(session))] as const)
          await walkDialogs(page, () => go(path), { pressed, once: "*" });
      });
      expect(labelsOfActions().filter((label) => !pressed.has(label))).toEqual([]);
    }),
);

chromium.test("axe reports no violation after a refusal, on a dark phone", async () => {
  await withSession({ ...phone, colorScheme: "dark" }, async ({ page, open }) => {
    await open(pagesOf(here.fixture).organisation ?? "");
    await clickAction(page, "Set billing…");
    const dialog = page.getByRole("dialog", { name: "Set billing" });
    await dialog.getByLabel("State").selectOption("On trial");
    await dialog.getByLabel("Trial end").fill("");
    await dialog.getByLabel("Reason").fill("They ask for it.");
    await dialog.getByRole("button", { name: "Set billing", exact: true }).click();
    await seen(dialog.getByRole("alert"));
    expect(await violationsOf(page)).toEqual([]);
  });
});

chromium.test("axe reports no violation on the sign-in page", async () => {
  const context = await openContext(chromium.browser, { colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(here.testServer.url);
  expect(await violationsOf(page)).toEqual([]);
  await context.close();
});

chromium.test("axe reports a deliberate violation", async () => {
  await withSession(undefined, async ({ page }) => {
    await page.evaluate('document.querySelector("main").append(document.createElement("img"))');
    expect(await violationsOf(page)).toEqual([expect.stringContaining("image-alt")]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.evaluate('document.querySelector("main h1").style.color = "#333"');
    expect(await violationsOf(page, rulesOfColours)).toEqual([expect.stringContaining("color-contrast")]);
  });
});

chromium.test("the keyboard alone leads from the overview to an organisation with an issue, and to its keys", () =>
  withSession(undefined, async ({ page }) => {
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await press(page, "Tidewater Trading");
    await page.waitForURL(/organisations/);
    await settled(page);
    await press(page, "Access");
    await settled(page);
    await press(page, "Keys");
    await seen(page.getByRole("cell", { name: "Import" }));
  }),
);

/** By page: an operator action with its fields by label, and what the dialog says after it. */
const actions = (): [path: string, action: string, fields: Record<string, string>, done: RegExp][] => {
  const { harbour, failingEndpoint, disabledEndpoint, runs } = here.fixture;
  const organisation = `/organisations/${harbour.organisation.id}`;
  return [
    [organisation, "Set billing", { "Seats bought": "12" }, /Billing is now active/],
    [organisation, "Set the spending limit", { "Euros per month": "90" }, /€90/],
    [organisation, "Suspend", {}, /is suspended/],
    [organisation, "Lift the suspension", {}, /is lifted/],
    [`${organisation}?tab=members`, "Mint a key", { Name: "Lost", "Days until expiry": "30" }, /Not copied yet/],
    [`/endpoints/${failingEndpoint.id}`, "Disable", {}, /disabled/],
    [`/endpoints/${disabledEndpoint.id}`, "Resume", {}, /active/],
    [`/runs/${runs.blocked}`, "Cancel the run", {}, /cancelled/],
  ];
};

const inMenu = ["Set billing", "Suspend"];

chromium.test(
  "main actions of the console are done by the keyboard alone, and axe reports no violation in their last dialog",
  () =>
    withSession(undefined, async ({ page, go }) => {
      for (const [path, action, fields, done] of actions()) {
        await go(path);
        if (inMenu.includes(action)) await press(page, "More");
        await press(page, `${action}…`);
        await page.waitForSelector("dialog[open]");
        for (const [label, text] of Object.entries({ ...fields, Reason: "Ticket 7." })) {
          await tabTo(page, new RegExp(`^${label}`));
          await page.keyboard.press("ControlOrMeta+a");
          await page.keyboard.type(text);
        }
        await press(page, action);
        const message = page.locator("dialog[open]").locator("[role=status], [role=alert]");
        await seen(message);
        expect([action, await message.innerText()]).toEqual([action, expect.stringMatching(done)]);
        if (action === "Mint a key") await checkDialog(page);
        else expect(await violationsOf(page, [], "dialog[open]")).toEqual([]);
        await press(page, "Close");
        if (action === "Mint a key") await press(page, "Close without copying");
      }
    }),
);

chromium.test("the navigation names the pages, and Ctrl+K leads to another page by its name", () =>
  withSession(undefined, async ({ page }) => {
    const links = page.getByRole("navigation", { name: "Pages of the console" }).getByRole("link");
    const names = ["Overview", "Organisations", "Deliveries and runs", "Email", "Operator log", "GraphQL"];
    expect(await links.allInnerTexts()).toEqual(names);
    await page.keyboard.press("Control+k");
    expect(await violationsOf(page, [], "dialog[open]")).toEqual([]);
    await page.keyboard.type("operator");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "Operator log", level: 1 }));
  }),
);

chromium.test("the colour scheme follows the system, or a stored choice", async () => {
  await withSession({ colorScheme: "light" }, async ({ page, open }) => {
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(246, 247, 249)");
    await page.getByLabel("Appearance").selectOption("Dark");
    expect(await background()).toBe("rgb(14, 15, 18)");
    await open("/email");
    expect(await background()).toBe("rgb(14, 15, 18)");
  });
});
