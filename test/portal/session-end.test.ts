/** What a person sees in Chromium when the portal session ends while a page is open. (docs/portal.md#the-end) */
import type { Page } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { phone } from "../support/console-page.ts";
import { makeMember } from "../support/database.ts";
import { clickUnlessShown, seen } from "../support/page-change.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;

const returnUrl = "https://app.example.com/settings";
const expire = () => here.office.db.sql("update app.portal_sessions set expires_at = now() where revoked_at is null");
const ending = (page: Page) => page.getByRole("heading", { name: "The session has ended" });
const ended = (page: Page) => seen(ending(page));
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

test("a form that is sent after the end is not saved, and its texts are kept to copy", () =>
  here.portal(
    async ({ page, open }) => {
      await open("/portal/bots");
      await page.getByRole("button", { name: "Create a bot…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Half-written");
      await dialog.getByLabel("Instructions").fill("First line.\nSecond line.");
      await expire();
      await clickUnlessShown(dialog.getByRole("button", { name: "Create" }), ending(page));
      await ended(page);
      expect(await focused(page)).toBe("The session has ended");
      const kept = page.getByRole("region", { name: "Not saved" });
      expect(await kept.locator("h3").allInnerTexts()).toEqual(["Name", "Instructions"]);
      expect(await kept.locator("pre").allInnerTexts()).toEqual(["Half-written", "First line.\nSecond line."]);
      expect(await page.getByRole("link", { name: "Back to the application" }).getAttribute("href")).toBe(returnUrl);
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.viewport.width);
      expect(await here.office.db.sql("select from app.bots where name = 'Half-written'")).toEqual([]);
    },
    { session: { returnUrl }, options: phone },
  ));

test("a secret that is shown once is kept to copy when the session ends", () =>
  here.portal(async ({ page, open }) => {
    await page.clock.install();
    await open("/portal/keys");
    await page.getByRole("button", { name: "Create a key…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Reports");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const secret = await page.getByRole("dialog").locator("pre").innerText();
    expect(secret).toMatch(/^bsk_\w{49}$/);
    await expire();
    await page.clock.fastForward("01:00:00");
    await ended(page);
    expect(await page.getByRole("region", { name: "Not saved" }).locator("pre").innerText()).toBe(secret);
  }));

test("5 minutes before its end the page warns, and at its end it ends without an action", () =>
  here.portal(async ({ page }) => {
    await page.clock.install();
    await page.reload();
    await settled(page);
    const warning = page.getByText("This session ends at");
    await page.clock.fastForward("54:00");
    expect(await warning.count()).toBe(0);
    await page.clock.fastForward("02:00");
    await seen(warning);
    await page.clock.fastForward("05:00"); // the clock of the device is ahead: the API still knows the session
    await seen(page.getByRole("navigation", { name: "Sections" }));
    await expire();
    await page.clock.fastForward("00:10");
    await ended(page);
    expect(await page.getByRole("region", { name: "Not saved" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Back to the application" }).count()).toBe(0);
  }));

test("a revoked session ends at the next call of the page, and its data leave the page", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/members");
    await seen(page.getByText(here.data.who.organisation.email));
    await here.office.db.sql("update app.portal_sessions set revoked_at = now()");
    await clickUnlessShown(page.getByRole("link", { name: "Bots" }), ending(page));
    await ended(page);
    expect(await page.content()).not.toContain(here.data.who.organisation.email);
  }));

test("a suspension ends every page with one sentence and the way back, until it is lifted", () =>
  here.portal(
    async ({ page, open }) => {
      const suspend = (at: string) =>
        here.office.db.sql(`update app.organisations set suspended_at = ${at} where id = $1`, [
          here.data.who.organisation.id,
        ]);
      await open("/portal/members");
      await suspend("now()");
      const heading = page.getByRole("heading", { name: "The organisation is suspended" });
      await clickUnlessShown(page.getByRole("link", { name: "Overview" }), heading);
      await seen(heading);
      expect(await focused(page)).toBe("The organisation is suspended");
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await page.content()).not.toContain(here.data.who.organisation.email);
      expect(await page.getByRole("link", { name: "Back to the application" }).getAttribute("href")).toBe(returnUrl);
      await page.reload();
      await seen(heading);
      await suspend("null");
      await page.reload();
      await seen(page.getByRole("navigation", { name: "Sections" }));
    },
    { session: { returnUrl } },
  ));

test("a change of role is one sentence, keeps what was written, and leads to what the role may see", async () => {
  const { who } = here.data;
  const admin = await makeMember(here.office.db, who.organisation.id, "admin");
  await here.portal(
    async ({ page, open }) => {
      await open(`/portal/memories/${here.data.memory}`);
      await page.getByRole("button", { name: "Edit…" }).click();
      await page.getByRole("dialog").locator("textarea[name=value]").fill("Half-written");
      await here.office.db.sql("update app.memberships set role = 'member' where person_id = $1", [admin]);
      const notice = page.getByRole("alert");
      await clickUnlessShown(page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }), notice);
      await seen(notice);
      expect(await notice.allInnerTexts()).toEqual([
        "Your role has changed to member. The portal now shows what this role may see.",
      ]);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
      expect(await page.getByRole("region", { name: "Not saved" }).innerText()).toContain("Half-written");
      await page.getByRole("link", { name: "Bots" }).click();
      await seen(page.getByText("Harbour guide"));
      expect(await violationsOf(page)).toEqual([]);
      await page.reload();
      await settled(page);
      expect(await notice.count()).toBe(0);
    },
    { session: { personId: admin } },
  );
});
