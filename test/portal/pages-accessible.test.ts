/** Accessibility of the portal's pages and dialogs: axe in light, dark and on a phone, and the keyboard alone. */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { checkDialog, walkDialogs, withoutWrites } from "../support/dialog-walk.ts";
import { seen } from "../support/page-change.ts";
import { checkPage, press, tabTo, walk } from "../support/page-walk.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;
const pages = () => Object.entries(portalPagesOf(here.data));
/** Each walk takes about 20 s on two free cores. */
test("every page: axe reports no violation, it fits a phone, and Tab shows the focus on each element", () =>
  here.portal(async ({ page, go }) => {
    for (const [name, path] of pages()) {
      await checkPage(page, name, () => go(path));
    }
  }));

/** Labels of buttons that open a dialog, from the portal's texts. */
function labelsOfDialogs(): string[] {
  const folder = "src/front/portal/texts";
  const texts = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  return texts.flatMap((text) => [...text.matchAll(/button: "(.*…)"/g)].map(([, label = ""]) => label));
}

test("every dialog: axe reports no violation in light, dark and on a phone, and it holds and returns the focus", async () => {
  const pressed = new Set<string>();
  const { who, model } = here.data;
  const bot = (await who.ask("POST", "/bots", { name: "Diver", model })).body.id;
  const { id } = (await who.ask("POST", "/runs", { botId: bot, message: "How deep is it?" })).body;
  await who.ask("POST", `/runs/${id}/cancel`); // a run that can be repeated
  await here.portal(({ page, go }) =>
    withoutWrites(page, async () => {
      for (const [, path] of [...pages(), ["run-cancelled", `/portal/runs/${id}`] as const])
        await walkDialogs(page, () => go(path), { pressed });
      await who.ask("POST", "/audit/stream", { url: "https://siem.harbour.example/botstead" });
      await walkDialogs(page, () => go("/portal/audit"), { pressed });
    }),
  );
  expect(labelsOfDialogs().filter((label) => !pressed.has(label))).toEqual([]);
});

test("the walks report a trap, a missing outline, an element that only a mouse reaches, and a dialog without …", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/hooks");
    await page.evaluate(`(() => {
      const add = (tag, text) => document.querySelector("main").appendChild(Object.assign(document.createElement(tag), { textContent: text }));
      add("button", "bare").style.outline = "none";
      add("button", "skipped").tabIndex = -1;
      add("b", "mouse").style.cursor = "pointer";
    })()`);
    const found = { missed: ["button skipped", "b mouse"], strays: [], faults: ["button bare: no outline"] };
    expect(await walk(page, "Tab")).toEqual(found);
    await page.evaluate("document.querySelector('main button').onkeydown = (event) => event.preventDefault()");
    expect((await walk(page, "Tab")).missed).toContain("button Columns");
    await open("/portal/hooks");
    await page.evaluate("document.querySelector('main .actions button').firstChild.data = 'Create'");
    await expect(walkDialogs(page, async () => {})).rejects.toThrow("Create");
  }));

test("the skip link leads past the navigation, and Ctrl+K leads to another page", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/keys");
    await tabTo(page, "Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, "Create a key…");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rout");
    await page.keyboard.press("Enter");
    await seen(page.getByRole("heading", { name: "Routines" }));
    await page.waitForFunction("document.activeElement.localName === 'h1'"); // after an effect of the new page
  }));

type Action = (page: Page) => Promise<void>;

/** Opens a dialog, fills fields by their labels, and presses the dialog's button. */
const submit =
  (open: string, fields: Record<string, string>, button: string): Action =>
  async (page) => {
    await press(page, open);
    await page.waitForSelector("dialog[open]"); // heads of the page's tables have the same names as fields
    for (const [label, text] of Object.entries(fields)) {
      await tabTo(page, label);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    }
    await press(page, button);
  };
const follow =
  (...names: (string | RegExp)[]): Action =>
  async (page) => {
    for (const name of names) await press(page, name);
  };
/** Chooses an option by typing its first letters. */
const choose =
  (label: string, letters: string): Action =>
  async (page) => {
    await tabTo(page, label);
    await page.keyboard.type(letters);
  };

/** The window in which a person chooses a file belongs to the browser. */
const importFile: Action = async (page) => {
  const line = {
    externalId: "crane-1",
    scope: "organisation",
    kind: "fact",
    subject: "Crane",
    value: "It lifts 40 t.",
  };
  const chooser = page.waitForEvent("filechooser");
  await press(page, "File with JSON lines");
  const file = { name: "memories.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(JSON.stringify(line)) };
  await (await chooser).setFiles(file);
  await press(page, "Import");
};

/** By page: a main action, and a text of the page after it. Texts of toasts pass too soon. */
const actions = (): Record<string, [Action, string | RegExp]> => ({
  overview: [follow("Blocked runs: 1"), "Runs, newest first"],
  export: [follow("Export the organisation"), "Waiting until the audit log signs"],
  endpoints: [
    submit("Create an endpoint…", { Address: "https://mole.harbour.example/", Description: "Mole" }, "Create and test"),
    "Only this dialog shows the secret.",
  ],
  endpoint: [submit("Edit…", { Description: "North crane" }, "Save"), "North crane"],
  delivery: [follow("Send again"), "pending"],
  events: [choose("Event", "run.f"), "run.finished"],
  "event-kinds": [follow(/^run\.finished/), '"event": "run.finished"'],
  keys: [submit("Create a key…", { Name: "Reports" }, "Create"), "Only this dialog shows the key."],
  key: [submit("Rotate…", { "Overlap (hours)": "1" }, "Rotate"), "Only this dialog shows the key."],
  runs: [submit("Start a run…", { Message: "Is the crane free?" }, "Start"), "All runs"],
  run: [submit("Cancel run…", {}, "Cancel run"), "cancelled"],
  "run-ended": [follow("Clerk"), "All bots"],
  "run-blocked": [
    submit("Resume…", { "Message to the bot (optional)": "The later one." }, "Resume"),
    /^(queued|running)$/,
  ],
  approvals: [follow("May I order 40 m of rope?"), "It costs 160 euros."],
  approval: [follow("Show the run"), "Steps"],
  bots: [submit("Create a bot…", { Name: "Dredger", Instructions: "Be brief." }, "Create"), "Dredger"],
  bot: [submit("Edit…", { Name: "Harbour pilot" }, "Save"), "Harbour pilot"],
  memories: [
    submit("Create a memory…", { Kind: "fact", Subject: "Quay", Memory: "The quay is wet." }, "Create"),
    "The quay is wet.",
  ],
  "memories-found": [choose("Scope", "o"), "Opening hours"],
  "memories-import": [importFile, "The import has ended. Lines: 1."],
  memory: [submit("Edit…", { Memory: "The office is open from ten to two." }, "Save"), /ten to two/],
  routines: [
    submit(
      "Create a routine…",
      { Name: "Evening round", Schedule: "0 18 * * *", "Message to the bot": "And now?" },
      "Create",
    ),
    "Evening round",
  ],
  routine: [follow("Pause"), "paused"],
  hooks: [submit("Create a hook…", { Name: "Buoys" }, "Create"), "It is shown only now."],
  hook: [submit("Rename…", { Name: "Alerts of the mole" }, "Save"), "Alerts of the mole"],
  members: [submit("Invite a person…", { Email: "ada@harbour.example" }, "Send invitation"), "ada@harbour.example"],
  audit: [follow(/^Details…/), "Show the proof"],
});

test("one main action of every page is done by the keyboard alone", async () => {
  expect(Object.keys(actions())).toEqual(Object.keys(portalPagesOf(here.data)));
  await here.portal(async ({ page, open }) => {
    for (const [name, path] of pages()) {
      const [perform, shown = ""] = actions()[name] ?? [];
      // Runs are refused without an executor that was seen lately.
      await here.office.db.sql("update app.executors set last_seen_at = now() where id = $1", [here.data.executor.id]);
      await open(path);
      await perform?.(page);
      await seen(page.getByText(shown));
      if ((await page.locator("dialog[open]:not(:has(form))").count()) > 0) await checkDialog(page);
    }
  });
});
