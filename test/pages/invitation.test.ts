/** The page behind an invitation's link, in a real Chromium, by the link in a real mail. (docs/specification/invitations.md#accepting) */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expectAnswer } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { rulesOfColours, violationsOf } from "../support/axe.ts";
import { browserOfFile, desktop, onPage as onPageOf, phone, picture } from "../support/browser.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { seen } from "../support/page-change.ts";
import { allSent, wordsOf } from "../support/smtp.ts";
import { testWorker } from "../support/worker.ts";

const here = apiOfFile();
const chromium = browserOfFile();

let made = 0;

/** An invitation to an organisation of this name, and the link that its mail brought. */
async function invited(name = "Harbour & Co", role = "member"): Promise<{ ada: Member; row: Json; link: string }> {
  const ada = await here.owner();
  await here.db.sql("update app.mails set sent_at = now() where sent_at is null");
  expectAnswer("rename_organisation", await ada.patch("/organisation", { name }));
  const email = `grace${++made}@example.test`;
  const row = expectAnswer("create_invitation", await ada.post("/invitations", { email, role }));
  const folder = mkdtempSync(join(tmpdir(), "botstead-page-"));
  try {
    const worker = await testWorker(here.db, { DATA_DIR: folder, BASE_URL: here.api.url });
    await allSent(here.db).finally(() => worker.stop());
    const [file = ""] = readdirSync(join(folder, "mail"));
    const [link = ""] = wordsOf(readFileSync(join(folder, "mail", file), "utf8")).match(/http:\S+/) ?? [];
    return { ada, row, link };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const onPage = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
  onPageOf(chromium.browser, here.api.url, options, work);

const heading = (page: Page) => page.locator("h1").innerText();
const membersOf = async (ada: Member): Promise<Json[]> => (await ada.get("/members")).body.data;

chromium.test("the mailed link on a phone, with a name and Enter, makes the person a member", async () => {
  const { ada, row, link } = await invited();
  await onPage({ ...phone, colorScheme: "light" }, async (page) => {
    expect((await page.goto(link))?.status()).toBe(200);
    expect(await heading(page)).toBe("Join Harbour & Co");
    const words = await page.locator("main").innerText();
    expect(words).toContain("Olga Owner invites you to join Harbour & Co as a member");
    expect(words).toContain(row.email);
    await picture(page, "invitation-phone-light");
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violationsOf(page, rulesOfColours)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("displayName");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.type("Grace Hopper");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "Accepted" }));
    // Loading it again is no second acceptance, and looks the same.
    expect((await page.goto(link))?.status()).toBe(200);
    expect(await heading(page)).toBe("Accepted");
  });
  const [member] = await membersOf(ada);
  expect(member).toMatchObject({ email: row.email, role: "member", displayName: "Grace Hopper" });
  const { data } = (await ada.get("/invitations?status=accepted")).body;
  expect(data).toEqual([{ ...row, acceptedAt: expect.any(String) }]);
});

chromium.test("without JavaScript, on a wide and dark screen, Tab leads from the name to the button", async () => {
  const { ada, row, link } = await invited("Harbour & Co", "admin");
  await onPage({ ...desktop, javaScriptEnabled: false, colorScheme: "dark" }, async (page) => {
    await page.goto(link);
    expect(await page.locator("main").innerText()).toContain("as an admin");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await heading(page)).toBe("Join Harbour & Co"); // the browser asks for the name
    expect(await page.evaluate("document.activeElement.id")).toBe("displayName");
    await page.keyboard.type("Grace Hopper");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await seen(page.getByRole("heading", { name: "Accepted" }));
    expect(await page.locator("main script").count()).toBe(0);
  });
  const [member] = await membersOf(ada);
  expect(member).toMatchObject({ email: row.email, role: "admin", displayName: "Grace Hopper" });
});

chromium.test(
  "the page names the organisation by initials, and shows times in the reader's zone and locale",
  async () => {
    const { row, link } = await invited();
    const options = { ...desktop, timezoneId: "Asia/Tokyo", locale: "de-DE" };
    await onPage(options, async (page) => {
      await page.goto(link);
      expect(await page.locator("header").innerText()).toMatch(/^HC\s+Harbour & Co$/);
      const local = { timeZone: "Asia/Tokyo", dateStyle: "medium", timeStyle: "short" } as const;
      const time = page.locator("time");
      expect(await time.innerText()).toBe(new Intl.DateTimeFormat("de-DE", local).format(new Date(row.expiresAt)));
      expect(await time.getAttribute("title")).toBe(
        `${row.expiresAt.slice(0, 10)}, ${row.expiresAt.slice(11, 16)} UTC`,
      );
    });
  },
);

chromium.test(
  "the page fits a phone with the longest organisation name, and its controls are large enough to touch",
  async () => {
    const { link } = await invited("Donaudampfschifffahrtsgesellschaft".repeat(4).slice(0, 120));
    await onPage({ ...phone, viewport: { width: 320, height: 568 } }, async (page) => {
      await page.goto(link);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
      for (const part of [page.getByRole("textbox"), page.getByRole("button")]) {
        const box = await part.boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
      }
      // Screen readers need the label of the field.
      expect(await page.getByLabel("Your name, as the others will see it").count()).toBe(1);
      expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    });
  },
);

chromium.test("accepting in two tabs at once makes one membership, and both tabs show it", async () => {
  const { ada, link } = await invited();
  await onPage(desktop, async (first) => {
    const second = await first.context().newPage();
    await Promise.all([first.goto(link), second.goto(link)]);
    await Promise.all([first, second].map((tab) => tab.getByRole("textbox").fill("Grace Hopper")));
    await Promise.all([first, second].map((tab) => tab.getByRole("button").click()));
    for (const tab of [first, second]) await seen(tab.getByRole("heading", { name: "Accepted" }));
  });
  expect(await membersOf(ada)).toHaveLength(2);
});

chromium.test("a form sent after the invitation ended shows the current state", async () => {
  const { ada, row, link } = await invited();
  await onPage(desktop, async (page) => {
    await page.goto(link);
    await page.getByRole("textbox").fill("Grace Hopper");
    await ada.delete(`/invitations/${row.id}`);
    const [answer] = await Promise.all([page.waitForNavigation(), page.getByRole("button").click()]);
    expect(answer?.status()).toBe(410);
    expect(await heading(page)).toBe("No longer open");
  });
  expect(await membersOf(ada)).toHaveLength(1);
});

type Story = [name: string, status: number, heading: string, words: string, end: (made: Json) => Promise<unknown>];
const stories: Story[] = [
  [
    "used",
    200,
    "Accepted",
    "works once",
    ({ link }) => fetch(link, { method: "POST", body: new URLSearchParams({ displayName: "Grace" }) }),
  ],
  ["revoked", 410, "No longer open", "was revoked", ({ ada, row }) => ada.delete(`/invitations/${row.id}`)],
  [
    "expired",
    410,
    "Too late",
    "can send it again",
    ({ row }) => here.db.sql("update app.invitations set expires_at = now() where id = $1", [row.id]),
  ],
  [
    "overtaken by a newer",
    404,
    "No such invitation",
    "a newer one was sent",
    ({ ada, row }) => ada.post(`/invitations/${row.id}/resend`),
  ],
];

for (const [name, status, title, words, end] of stories) {
  chromium.test(`a link that was ${name} says so, and offers nothing to press`, async () => {
    const given = await invited();
    await onPage(phone, async (page) => {
      expect((await page.goto(given.link))?.status()).toBe(200); // the link was valid before
      await end(given);
      const before = await membersOf(given.ada);
      expect((await page.goto(given.link))?.status()).toBe(status);
      expect(await heading(page)).toBe(title);
      expect(await page.locator("main").innerText()).toContain(words);
      expect(await page.locator("form, input, button, a").count()).toBe(0);
      const late = await fetch(given.link, { method: "POST", body: new URLSearchParams() });
      expect(late.status).toBe(status);
      expect(await membersOf(given.ada)).toEqual(before);
    });
  });
}

chromium.test("the page escapes the organisation's name", async () => {
  const name = `<img src=x onerror="alert(1)"><script>alert(2)</script> "'&amp;`;
  const { link } = await invited(name);
  await onPage(desktop, async (page) => {
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    await page.goto(link);
    expect(await heading(page)).toBe(`Join ${name}`);
    expect(await page.title()).toBe(`Join ${name}`);
    expect(await page.locator("main :is(img, script)").count()).toBe(0);
    expect(dialogs).toEqual([]);
  });
});
