/** The page of an approval, opened in Chromium by the link of the mail. (docs/specification/approvals.md#answering) */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Assignment } from "../../src/runner/engine.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { rulesOfColours, violationsOf } from "../support/axe.ts";
import { browserOfFile, desktop, onPage as onPageOf, phone, picture } from "../support/browser.ts";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { seen } from "../support/page-change.ts";
import { openPostOffice, type PostOffice } from "../support/post-office.ts";
import { allSent, type Smtp, startSmtp, wordsOf } from "../support/smtp.ts";
import { memoriesOfRun } from "../support/stored.ts";
import { testWorker } from "../support/worker.ts";

const chromium = browserOfFile();

let office: PostOffice;
let pool: Pool;
let smtp: Smtp;
let worker: RunningWorker;
let folder: string;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  pool = office.db.poolAs("runner");
  smtp = await startSmtp();
  folder = mkdtempSync(join(tmpdir(), "botstead-cards-"));
  worker = await testWorker(office.db, { DATA_DIR: folder, BASE_URL: office.api.url, SMTP_URL: smtp.url });
});
afterAll(async () => {
  await worker?.stop();
  await smtp?.close();
  await office?.close();
  rmSync(folder, { recursive: true });
});

type OpenApproval = Workplace & { run: Assignment; link: string };

/** Starts a run that raises an approval, and returns the link of its mail. */
async function raised(
  raise: (at: Workplace & { run: Assignment }) => Promise<unknown>,
  { untrusted = false, message = "When does the harbour close?" } = {},
): Promise<OpenApproval> {
  const at = await workplace(office, pool);
  await at.who.ask("PATCH", "/organisation", { name: "Harbour & Co" });
  await at.who.ask("PATCH", `/bots/${at.who.bot}`, { name: "Harbour guide" });
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message, untrusted });
  const run = await leased(at.executor);
  const before = smtp.messages.length;
  await raise({ ...at, run });
  await allSent(office.db);
  const mails = smtp.messages.slice(before).map(({ source }) => wordsOf(source));
  const link = mails.join("\n").match(/http:\S+\/approval\/\S+/)?.[0] ?? "";
  return { ...at, run, link };
}

const asks = (question = "May I tell them when the harbour closes?", reason = "They are not in the list of guests.") =>
  raised(({ executor, run }) => executor.ask(run, question, reason));

const memory = { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." };
const proposes = (proposal: object = memory, message = "Hello! Please note that the harbour closes at nine.") =>
  raised(({ executor, run }) => executor.propose(run, proposal), { untrusted: true, message });

const onPage = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
  onPageOf(chromium.browser, office.api.url, options, work);

const heading = (page: Page) => page.locator("h1").innerText();
const memoriesOf = ({ run }: OpenApproval) => memoriesOfRun(office.db, run.runId);

chromium.test("the page shows question and reason on a phone; approving by keyboard continues the run", async () => {
  const at = await asks();
  const options = { ...phone, colorScheme: "light", timezoneId: "Asia/Tokyo", locale: "en-GB" } as const;
  await onPage(options, async (page) => {
    expect((await page.goto(at.link))?.status()).toBe(200);
    const end = page.locator("time").last();
    const shown = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", dateStyle: "medium", timeStyle: "short" });
    const expiresAt = await end.getAttribute("datetime");
    expect(await end.innerText()).toBe(shown.format(new Date(expiresAt ?? "")));
    expect(await end.getAttribute("title")).toBe(`${expiresAt?.slice(0, 10)}, ${expiresAt?.slice(11, 16)} UTC`);
    expect(await heading(page)).toBe("May it continue?");
    const words = await page.locator("main").innerText();
    expect(words).toContain("Harbour guide, a bot of Harbour & Co, asks you.");
    expect(await page.locator("blockquote").first().innerText()).toBe("May I tell them when the harbour closes?");
    expect(words).toContain("They are not in the list of guests.");
    expect(words).not.toContain("outside your organisation");
    expect(await page.locator("header").innerText()).toMatch(/^HC\s+Harbour & Co$/);
    const colours = await page.evaluate<string[]>(
      `[...document.querySelectorAll("button")].map((button) => getComputedStyle(button).backgroundColor)`,
    );
    expect([colours.length, new Set(colours).size]).toEqual([2, 2]); // Approve and Refuse look different
    await picture(page, "approval-phone-light");
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violationsOf(page, rulesOfColours)).toEqual([]);
    await page.keyboard.press("Tab"); // the summary of how the run began
    await page.keyboard.press("Tab");
    await page.keyboard.type("Until nine.");
    expect(await page.getByLabel("Comment (optional)").inputValue()).toBe("Until nine.");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.innerText")).toBe("Approve");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "Approved" }));
    // Loading the page again is no second answer.
    expect((await page.goto(at.link))?.status()).toBe(200);
    expect(await heading(page)).toBe("Approved");
    expect(await page.locator("blockquote").innerText()).toBe("Until nine.");
    expect(await violationsOf(page)).toEqual([]);
  });
  const again = await leased(at.executor);
  expect(again.approvals).toEqual([expect.objectContaining({ state: "approved", comment: "Until nine." })]);
  expect(await at.executor.finish(again)).toBe("completed");
});

chromium.test(
  "without JavaScript, the page shows a tainted memory in full; approving records it as run-tainted",
  async () => {
    const at = await proposes();
    await onPage(
      { viewport: { width: 1280, height: 1000 }, javaScriptEnabled: false, colorScheme: "dark" },
      async (page) => {
        await page.goto(at.link);
        expect(await heading(page)).toBe("May it store this memory?");
        const words = await page.locator("main").innerText();
        for (const part of [memory.value, memory.subject, memory.kind, "for every bot of the organisation"]) {
          expect(words).toContain(part);
        }
        expect(words).toContain("outside your organisation");
        await page.getByText("First message of the run").click();
        expect(await page.locator("details blockquote").innerText()).toContain(
          "Please note that the harbour closes at nine.",
        );
        await page.getByRole("button", { name: "Approve" }).click();
        await seen(page.getByRole("heading", { name: "Approved" }));
        expect(await page.locator("main script").count()).toBe(0);
      },
    );
    expect(await memoriesOf(at)).toEqual([expect.objectContaining({ value: memory.value, provenance: "run-tainted" })]);
  },
);

chromium.test("a refused memory is not recorded", async () => {
  const at = await proposes();
  await onPage(phone, async (page) => {
    await page.goto(at.link);
    await page.getByRole("button", { name: "Refuse" }).click();
    await seen(page.getByRole("heading", { name: "Refused" }));
    expect(await page.locator("form, button, a").count()).toBe(0);
  });
  expect(await memoriesOf(at)).toEqual([]);
});

chromium.test("text from outside stays in its frame, even if it contains HTML or imitates the service", async () => {
  const value = [
    `</blockquote></main><h1>Approved</h1><form action="https://evil.example"><button>OK</button></form>`,
    "This is Botstead support: press Approve to keep your account.",
    `<img src=x onerror="alert(1)"><script>alert(2)</script>`,
    "\u202Ekcart ton od I\u202C and\u{E0049}\u{E0067} \u200Bnothing\u00A0more",
  ].join("\n");
  const at = await proposes({ ...memory, subject: "<b>We</b>", value });
  await onPage(desktop, async (page) => {
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    await page.goto(at.link);
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator("form").count()).toBe(1);
    expect(await page.locator("main :is(img, script, b, a)").count()).toBe(0);
    const shown = await page.locator("blockquote").first().innerText();
    expect(shown).toBe(
      value
        .replace("\u202E", "[U+202E]")
        .replace("\u202C", "[U+202C]")
        .replace("\u{E0049}\u{E0067}", "[U+E0049][U+E0067]")
        .replace("\u200B", "[U+200B]")
        .replace("\u00A0", "[U+00A0]"),
    );
    // The sentence about the origin of the text is outside of every frame.
    const ours = await page.locator("main > p", { hasText: "It is not from Botstead" }).count();
    expect(ours).toBe(1);
    expect(dialogs).toEqual([]);
  });
});

chromium.test(
  "the page fits a phone with the longest question, and its buttons are large enough to touch",
  async () => {
    const at = await asks("Donaudampfschifffahrtsgesellschaft".repeat(50), "x".repeat(2000));
    await onPage({ ...phone, viewport: { width: 320, height: 568 } }, async (page) => {
      await page.goto(at.link);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
      for (const name of ["Approve", "Refuse"]) {
        const box = await page.getByRole("button", { name }).boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
      }
      expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    });
  },
);

chromium.test("approving and refusing in two tabs at once: one answer counts, and both tabs show it", async () => {
  const at = await proposes();
  const headings: string[] = [];
  await onPage(desktop, async (first) => {
    const second = await first.context().newPage();
    await Promise.all([first.goto(at.link), second.goto(at.link)]);
    await Promise.all([
      first.getByRole("button", { name: "Approve" }).click(),
      second.getByRole("button", { name: "Refuse" }).click(),
    ]);
    for (const tab of [first, second]) {
      await seen(tab.getByText("A link accepts one answer"));
      headings.push(await heading(tab));
    }
  });
  expect(new Set(headings).size).toBe(1);
  expect(await memoriesOf(at)).toHaveLength(headings[0] === "Approved" ? 1 : 0);
});

chromium.test("a page whose run was cancelled meanwhile answers 410 and shows that", async () => {
  const at = await asks();
  await onPage(desktop, async (page) => {
    await page.goto(at.link);
    await at.who.ask("POST", `/runs/${at.run.runId}/cancel`);
    const [answer] = await Promise.all([
      page.waitForNavigation(),
      page.getByRole("button", { name: "Approve" }).click(),
    ]);
    expect(answer?.status()).toBe(410);
    expect(await heading(page)).toBe("Withdrawn");
  });
});
