/** Pages of members, invitations and the audit log in Chromium. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { makeMember } from "../support/database.ts";
import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;
const read = async (path: string) => (await here.data.who.ask("GET", path, undefined, "mayFail")).body;

test("a member's role is changed, and the member removed; the own row has no such button", () =>
  here.portal(async ({ page, open }) => {
    const { db } = here.office;
    const userId = await makeMember(db, here.data.who.organisation.id, "member");
    await db.sql("update app.people set display_name = 'Kim Keel' where id = $1", [userId]);
    await open("/portal/members");
    const row = page.getByRole("row", { name: /Kim Keel/ });
    expect(
      await page
        .getByRole("row", { name: /\(you\)/ })
        .getByRole("button", { name: "Remove…" })
        .count(),
    ).toBe(0);
    await row.getByRole("button", { name: "Change role…" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the role" });
    expect(await dialog.getByRole("combobox").inputValue()).toBe("member");
    await dialog.getByRole("combobox").selectOption("admin");
    await dialog.getByRole("button", { name: "Change role", exact: true }).click();
    await seen(row.getByText("admin"));
    expect(await read(`/members/${userId}`)).toMatchObject({ role: "admin" });
    await row.getByRole("button", { name: "Remove…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove member" }).click();
    await eventually(async () => (await row.count()) === 0);
    expect(await read(`/members/${userId}`)).toMatchObject({ error: { code: "not_found" } });
  }));

test("an invitation is sent, resent and revoked, and a second invitation for the address is refused in the dialog", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/members");
    const invite = async () => {
      await page.getByRole("button", { name: "Invite a person…" }).click();
      await page.getByRole("textbox", { name: "Email" }).fill("finn@harbour.example");
      await page.getByRole("dialog").getByRole("combobox").selectOption("admin");
      await page.getByRole("button", { name: "Send invitation" }).click();
    };
    await invite();
    const row = page.getByRole("row", { name: /finn@harbour\.example/ });
    await seen(row.getByText("admin"));
    await invite();
    await seen(page.getByRole("dialog").getByText("This address has an open invitation."));
    await page.keyboard.press("Escape");
    await row.getByRole("button", { name: "Resend" }).click();
    await seen(page.getByText("A new link is sent."));
    await row.getByRole("button", { name: "Revoke…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke invitation" }).click();
    await seen(row.getByText("revoked"));
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("combobox", { name: "State" }).selectOption("Open");
    await eventually(async () => (await row.count()) === 0);
    await page.getByRole("combobox", { name: "State" }).selectOption("Revoked");
    await seen(row.getByText("revoked"));
    expect((await read("/invitations?status=revoked")).data).toMatchObject([{ email: "finn@harbour.example" }]);
  }));

async function exported(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  return readFileSync(await (await download).path(), "utf8");
}

test("exports have every entry that matches the filters, loaded or not", () =>
  here.portal(async ({ page, open }) => {
    const { who, memory } = here.data;
    for (let value = 0; value < 120; value += 1) {
      await who.ask("PATCH", `/memories/${memory}`, { confidence: value / 200 });
    }
    await open(`/portal/audit?resource=memory&resourceId=${memory}`);
    const rows = page.getByRole("table", { name: "Audit log entries, newest first" }).locator("tbody tr");
    expect(await rows.count()).toBe(100);
    const [{ count = 0 } = {}] = await here.office.db.sql<{ count: number }>(
      "select count(*)::integer as count from app.audit_log where resource = 'memory' and resource_id = $1",
      [memory],
    );
    expect(count).toBeGreaterThan(120);
    const lines = (await exported(page, "Export JSON lines")).trimEnd().split("\n");
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries).toHaveLength(count);
    const { data: firstPage } = await read(`/audit?resource=memory&resourceId=${memory}&limit=5`);
    expect(entries.slice(0, 5)).toEqual(firstPage);
    const csv = (await exported(page, "Export CSV")).trimEnd().split("\r\n");
    expect(csv).toHaveLength(count + 1);
    expect(csv[0]).toMatch(/^id,sequence,createdAt,actor,/);
    expect(csv[1]).toContain(firstPage[0].hash);
  }));

test("an entry shows each changed field before and after", () =>
  here.portal(async ({ page, open }) => {
    const { who, hook } = here.data;
    await who.ask("PATCH", `/hooks/${hook}`, { state: "paused" });
    await open(`/portal/audit?resource=hook&resourceId=${hook}`);
    await page
      .getByRole("button", { name: /^Details/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: /^Audit log entry/ });
    const change = dialog.getByRole("table", { name: "Changes" }).getByRole("row").nth(1);
    expect(await change.innerText()).toMatch(/state\s+"active"\s+"paused"/);
    expect(await dialog.innerText()).toMatch(/Person\s+Olga Owner/);
    await dialog.getByRole("button", { name: "Show the proof" }).click();
    // No checkpoint is signed in this test, so that the refusal is shown.
    expect(await dialog.getByRole("alert").innerText()).toContain("signed tree");
  }));

test("filters by person, action and time send only what the API accepts", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/audit");
    const search = page.getByRole("search");
    await page.getByRole("button", { name: "Filters" }).click();
    await search.getByLabel("Resource id").fill("not an id");
    await search.getByLabel("Person").selectOption("Olga Owner");
    await search.getByLabel("Action").selectOption("created");
    await page.waitForURL(/userId=.*/);
    const table = page.getByRole("table", { name: "Audit log entries, newest first" });
    await eventually(async () => {
      const texts = await table.locator("tbody tr").allInnerTexts();
      return texts.length > 0 && texts.every((text) => /Olga Owner[\s\S]* created/.test(text));
    });
    expect(page.url()).not.toContain("resourceId");
    await search.getByLabel("Time").selectOption("From … to …");
    await search.getByLabel("To", { exact: true }).fill("2001-01-01T00:00");
    await seen(page.getByText("No entry matches the filters."));
  }));
