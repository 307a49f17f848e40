/** "View as" in Chromium: from the console's button to the read-only portal of the person, and to both logs. */
import type { Page } from "playwright-core";
import { browserOfFile } from "../support/browser.ts";
import { consoleWithDataOfFile } from "../support/console-fixture.ts";
import { sessionOfFile } from "../support/console-page.ts";
import { clickUnlessShown, seen } from "../support/page-change.ts";
import { settled } from "../support/portal-page.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();
// The browser logs the refused write and the call after the end.
const session = sessionOfFile(chromium, here, (complaint) => complaint.startsWith("Failed to load resource"));

/** Opens the portal by the console's dialog, in a new tab. */
async function view(): Promise<Page> {
  const { harbour } = here.fixture;
  await session.open(`/people/${harbour.organisation.ownerId}`);
  await session.page.getByRole("button", { name: "View as…" }).click();
  const dialog = session.page.getByRole("dialog", { name: "View as" });
  expect((await dialog.locator(".facts").innerText()).split(/\n+/)).toEqual([
    "Portal of",
    "Harbour & Co",
    "Person",
    harbour.organisation.email,
    "Role",
    "owner",
  ]);
  await dialog.getByLabel("Reason").fill("They see no endpoints.");
  await dialog.getByRole("button", { name: "View as", exact: true }).click();
  const opened = session.context.waitForEvent("page");
  await dialog.getByRole("link", { name: "Open the portal" }).click();
  const page = await opened;
  await settled(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  return page;
}

/** Pages of the portal with everything that the harbour has. */
const pages = () => {
  const { harbour, harbourEndpoint } = here.fixture;
  const lists = [
    "endpoints",
    "events",
    "keys",
    "runs",
    "approvals",
    "bots",
    "memories",
    "memories/import",
    "routines",
    "hooks",
    "members",
  ];
  return ["", ...lists, "audit", `bots/${harbour.bot}`, `endpoints/${harbourEndpoint.id}`];
};
/** Buttons that write nothing, besides the buttons of column heads. */
const readers = ["Columns", "Copy", "Details…", "Export CSV", "Export JSON", "Export JSON lines", "Filters"];

chromium.test(
  "the portal of the person opens, says that it is read-only, and draws no control that writes",
  async () => {
    const { harbour } = here.fixture;
    const page = await view();
    expect(new URL(page.url()).origin).toBe(here.office.api.url);
    expect(page.url()).not.toContain("bsl_");
    await seen(page.getByRole("note").getByText("You view this portal as an operator of the service."));
    expect(await page.getByRole("banner").innerText()).toContain("Read-only");
    const contents: string[] = [];
    const buttons: string[] = [];
    for (const name of pages()) {
      await page.goto(`${here.office.api.url}/portal/${name}`);
      await settled(page);
      await seen(page.getByRole("note").getByText("You cannot change anything."));
      contents.push(await page.content());
      buttons.push(...(await page.locator("main button:visible:not(th button)").allInnerTexts()));
    }
    expect([...new Set(buttons)].toSorted()).toEqual(readers);
    expect(contents.join("\n")).not.toMatch(/whsec_|bs[klx]_\w{49}/);
    expect(contents.join("\n")).toContain(harbour.bot);
    await page.close();
  },
);

chromium.test("a write from the page is refused, and changes nothing", async () => {
  const page = await view();
  const refusal = await page.evaluate(async () => {
    const csrf = (await (await fetch("/portal/csrf")).json()) as { csrfToken: string };
    const response = await fetch("/api/v1/bots", {
      method: "POST",
      headers: {
        "x-csrf-token": csrf.csrfToken,
        "idempotency-key": crypto.randomUUID(),
        "content-type": "application/json",
      },
      body: JSON.stringify({ name: "Forged" }),
    });
    const { error } = (await response.json()) as { error: { code: string } };
    return { status: response.status, code: error.code };
  });
  expect(refusal).toEqual({ status: 403, code: "forbidden" });
  expect(await here.office.db.sql("select from app.bots where name = 'Forged'")).toEqual([]);
  await page.close();
});

chromium.test("the view ends at its expiry, and the page says so", async () => {
  const page = await view();
  await here.office.db.sql("update app.portal_sessions set expires_at = now() where read_only");
  const ended = page.getByRole("heading", { name: "The session has ended" });
  await clickUnlessShown(page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Bots" }), ended);
  await seen(ended);
  await page.close();
});

chromium.test("operator log and audit log show the view with its reason", async () => {
  await session.open("/operator-log");
  expect(await session.page.locator("main").innerText()).toMatch(
    /Otto\s+view as\s+Harbour & Co\s+…\w+\s+–\s+They see no endpoints\./,
  );
  await session.open(`/organisations/${here.fixture.harbour.organisation.id}?tab=audit-log`);
  expect(await session.page.locator("main").innerText()).toMatch(/portal session/i);
  const own = await here.fixture.harbour.ask("GET", "/audit?resource=portal_session");
  expect(own.body.data).toContainEqual(
    expect.objectContaining({ action: "created", operator: "Otto", reason: "They see no endpoints." }),
  );
});
