/** Two people edit one resource: the portal sends the revision that its form shows, and keeps what was typed. */

import { gone, seen } from "../support/page-change.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;

type Case = {
  page: string;
  button: string;
  path: () => string;
  /** The field that the person changes, by its label, and the value. */
  typed: [label: string, value: string];
  /** What another caller stores meanwhile: the same field, and another field. */
  meanwhile: object;
  storedNow: string;
  /** A field that the person does not touch, and its new value. */
  untouched: [label: string, value: string];
  /** The resource in the end. */
  saved: object;
};

const cases: Case[] = [
  {
    page: "bot",
    button: "Edit…",
    path: () => `/bots/${here.data.who.bot}`,
    typed: ["Name", "Typed guide"],
    meanwhile: { name: "Stored guide", instructions: "Answer in two sentences." },
    storedNow: "Stored guide",
    untouched: ["Instructions", "Answer in two sentences."],
    saved: { name: "Typed guide", instructions: "Answer in two sentences." },
  },
  {
    page: "memory",
    button: "Edit…",
    path: () => `/memories/${here.data.memory}`,
    typed: ["Memory", "Typed value"],
    meanwhile: { value: "Stored value", confidence: 0.5 },
    storedNow: "Stored value",
    untouched: ["Confidence", "0.5"],
    saved: { value: "Typed value", confidence: 0.5 },
  },
  {
    page: "routine",
    button: "Edit…",
    path: () => `/routines/${here.data.routine}`,
    typed: ["Schedule", "0 9 * * *"],
    meanwhile: { schedule: "0 10 * * *", name: "Stored round" },
    storedNow: "0 10 * * *",
    untouched: ["Name", "Stored round"],
    saved: { schedule: "0 9 * * *", name: "Stored round" },
  },
  {
    page: "key",
    button: "Edit…",
    path: () => `/keys/${here.data.key}`,
    typed: ["Requests per minute", "50"],
    meanwhile: { ratePerMinute: 40, name: "Stored key" },
    storedNow: "40",
    untouched: ["Name", "Stored key"],
    saved: { ratePerMinute: 50, name: "Stored key" },
  },
  {
    page: "endpoint",
    button: "Edit…",
    path: () => `/webhooks/${here.data.endpoint}`,
    typed: ["Description", "Typed crane"],
    meanwhile: { description: "Stored crane", url: "https://quay.harbour.example/events", events: ["run.blocked"] },
    storedNow: "Stored crane",
    untouched: ["Address", "https://quay.harbour.example/events"],
    saved: { description: "Typed crane", url: "https://quay.harbour.example/events", events: ["run.blocked"] },
  },
];

for (const { page: name, button, path, typed, meanwhile, storedNow, untouched, saved } of cases) {
  test(`the form of page ${name} whose resource changed meanwhile keeps what was typed, and takes the rest`, () =>
    here.portal(async ({ page, open }) => {
      await open(portalPagesOf(here.data)[name] ?? "");
      await page.getByRole("button", { name: button }).click();
      const dialog = page.getByRole("dialog");
      const field = (label: string) => dialog.getByLabel(label, { exact: false }).first();
      await field(typed[0]).fill(typed[1]);
      await here.data.who.ask("PATCH", path(), meanwhile);
      await dialog.getByRole("button", { name: "Save" }).click();
      await seen(dialog.getByText("It was changed meanwhile."));
      expect((await here.data.who.ask("GET", path())).body).toMatchObject(meanwhile);
      await dialog.getByRole("button", { name: "Load the new values" }).click();
      await seen(dialog.getByRole("status").getByText("stored now"));
      expect(await dialog.locator("q").allInnerTexts()).toEqual([storedNow]);
      expect(await field(typed[0]).inputValue()).toBe(typed[1]);
      expect(await field(untouched[0]).inputValue()).toBe(untouched[1]);
      await dialog.getByRole("button", { name: "Save" }).click();
      await gone(dialog);
      expect((await here.data.who.ask("GET", path())).body).toMatchObject(saved);
    }));
}

test("a choice is kept as a text is: the role of a member, and the visibility of a bot", () =>
  here.portal(async ({ page, open }) => {
    const { who, member } = here.data;
    await open(`/portal/bots/${who.bot}`);
    await page.getByRole("button", { name: "Edit…" }).click();
    const bot = page.getByRole("dialog");
    const choices = bot.getByRole("combobox");
    const before = await choices.nth(2).inputValue();
    const others = (
      await choices
        .nth(2)
        .locator("option")
        .evaluateAll((all) => all.map((each) => each.value))
    ).filter((value) => value !== before);
    await choices.nth(2).selectOption(others[0] ?? "");
    await who.ask("PATCH", `/bots/${who.bot}`, { directConversation: others[1] ?? before, visibility: "personal" });
    await bot.getByRole("button", { name: "Save" }).click();
    await bot.getByRole("button", { name: "Load the new values" }).click();
    await seen(bot.getByText("The new values are loaded."));
    expect(await choices.nth(2).inputValue()).toBe(others[0]);
    expect(await choices.nth(1).inputValue()).toBe("personal");
    await page.keyboard.press("Escape");

    await open("/portal/members");
    const row = page
      .getByRole("row", { name: new RegExp(member.slice(-8)) })
      .or(page.getByRole("row", { name: /Max Mooring/ }));
    await row.first().getByRole("button", { name: "Change role…" }).click();
    const roles = page.getByRole("dialog");
    await roles.getByRole("combobox").selectOption("admin");
    await who.ask("PATCH", `/members/${member}`, { role: "owner" });
    await roles.getByRole("button", { name: "Change", exact: false }).last().click();
    await roles.getByRole("button", { name: "Load the new values" }).click();
    await seen(roles.getByText("stored now"));
    expect(await roles.getByRole("combobox").inputValue()).toBe("admin");
    await roles.locator("button[type=submit]").click();
    await gone(roles);
    expect((await who.ask("GET", `/members/${member}`)).body.role).toBe("admin");
  }));

test("the name of a hook that changed meanwhile is refused, and saved after the new one is loaded", () =>
  here.portal(async ({ page, open }) => {
    const path = `/hooks/${here.data.hook}`;
    await open(`/portal${path}`);
    await page.getByRole("button", { name: "Rename…" }).click();
    const dialog = page.getByRole("dialog");
    await here.data.who.ask("PATCH", path, { name: "Stored alerts" });
    await dialog.locator("button[type=submit]").click();
    await dialog.getByRole("button", { name: "Load the new values" }).click();
    await seen(dialog.getByText("The new values are loaded."));
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Stored alerts"); // nothing was typed
    await page.keyboard.press("Escape");
    expect((await here.data.who.ask("GET", path)).body.name).toBe("Stored alerts");
  }));

test("the buttons of a form that is taller than the window are in view, and the field with the focus is above them", () =>
  here.portal(async ({ page, open }) => {
    const height = 700;
    await page.setViewportSize({ width: 1280, height });
    await open(portalPagesOf(here.data).endpoint ?? "");
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog");
    const footer = async () => (await dialog.locator("footer").boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
    const { y, height: ofFooter } = await footer();
    expect(y + ofFooter).toBeLessThanOrEqual(height);
    const bottoms = await dialog.locator("input, select, textarea").evaluateAll((fields) =>
      fields.map((field) => {
        field.focus();
        return field.getBoundingClientRect().bottom;
      }),
    );
    expect(bottoms.length).toBeGreaterThan(20);
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(y);
  }));
