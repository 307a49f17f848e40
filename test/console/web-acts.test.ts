/** Each act of an operator, through its dialog in a real Chromium, and what it has done to the database. */
import type { Locator } from "playwright-core";
import type { Assignment } from "../../src/runner/engine.ts";
import { browserOfFile } from "../support/browser.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { type Seat, takeSeat } from "../support/console-page.ts";
import { consoleScene, openNight, type Scene } from "../support/console-scene.ts";
import { claimed } from "../support/hand-executor.ts";
import type { PostOffice } from "../support/post-office.ts";

const chromium = browserOfFile();
let office: PostOffice;
let scene: Scene;
let here: TestConsole;
let seat: Seat;

beforeAll(async () => {
  office = await openNight();
  [scene, here] = await Promise.all([consoleScene(office, office.db.poolAs("runner")), testConsole(office.db)]);
  const { text: token } = await mintToken(office.db, "act", "Otto");
  seat = await takeSeat(chromium.browser, { url: here.url, token });
}, 60_000);
afterAll(async () => {
  const { complaints } = (await seat?.leave()) ?? {};
  await here?.stop();
  await office?.close();
  expect(complaints).toEqual([]);
});

type Entries = Record<string, string>;

/** Opens the dialog of an act, enters what is asked, and confirms. Answers what the dialog says then. */
async function act(title: string, entries: Entries = {}, within: Locator = seat.page.locator("main")): Promise<string> {
  await within.getByRole("button", { name: `${title}…`, exact: true }).click();
  const dialog = seat.page.getByRole("dialog", { name: title });
  for (const [label, value] of Object.entries(entries)) {
    const field = dialog.getByLabel(new RegExp(`^${label}`));
    const isChoice = (await field.evaluate((element) => element.tagName)) === "SELECT";
    await (isChoice ? field.selectOption({ label: value }) : field.fill(value));
  }
  await dialog.getByLabel("Reason").fill(`Because of ${title}`);
  await dialog.getByRole("button", { name: title, exact: true }).click();
  const told = await dialog.locator("[role=status], [role=alert]").innerText();
  await dialog
    .getByRole("button", { name: /^(Close|Back)$/ })
    .last()
    .click();
  return told;
}

const row = (words: string) => seat.page.getByRole("row").filter({ hasText: words });

/** A run of a bot of its own, in the hands of the executor. */
async function taken(message: string, untrusted = false): Promise<Assignment> {
  const { who, executor, model } = scene.workshop;
  await office.db.sql("update app.executors set last_seen_at = now() where id = $1", [executor.id]);
  const { id: botId } = (await who.ask("POST", "/bots", { name: "Bertie", model })).body;
  const { id } = (await who.ask("POST", "/runs", { botId, message, untrusted })).body;
  for (;;) {
    const run = await claimed(executor);
    if (run.runId === id) return run; // others waited longer
  }
}

/** A claim that a tainted run has proposed, and that nobody approved in time. */
async function expiredCard(): Promise<string | undefined> {
  const run = await taken("The ropes are new.", true);
  const claim = { scope: "organisation", kind: "fact", subject: "Ropes", value: "They are new." };
  const { approvalId } = await scene.workshop.executor.propose(run, claim);
  await office.db.sql("update app.approvals set expires_at = now() - interval '1 second' where id = $1", [approvalId]);
  return approvalId;
}

/** The reason stands in what is kept of acts. */
async function expectWritten(title: string, operator = "Otto"): Promise<void> {
  const found = await office.db.sql("select operator from app.operator_acts where reason = $1", [
    `Because of ${title}`,
  ]);
  expect(found.at(-1)).toEqual({ operator });
}

const organisation = async (of: string, column: string) =>
  (
    await office.db.sql<Record<string, unknown>>(`select ${column} as held from app.organisations where id = $1`, [of])
  )[0]?.held;

chromium.test("a run is released from its executor, and cancelled", async () => {
  const state = async () =>
    (await office.db.sql<{ state: string }>("select state from app.runs where id = $1", [scene.runs.working]))[0]
      ?.state;
  await seat.visit(`/runs/${scene.runs.working}`);
  expect(await act("Release the run")).toBe("The run is queued.");
  expect(await state()).toBe("queued");
  expect(await act("Cancel the run")).toBe("The run is cancelled.");
  expect(await state()).toBe("cancelled");
  await seat.page.locator(".heading .badge", { hasText: "cancelled" }).waitFor();
});

chromium.test("a limit is raised, and shown raised without reloading; the month's in euros", async () => {
  const { id } = scene.tidewater.organisation;
  await seat.visit(`/organisations/${id}`);
  expect(await act("Set a limit", { Limit: "Live keys", "New value": "25" })).toBe("The limit is 25 now.");
  await seat.page.getByText("3 of 25").waitFor();
  expect(await organisation(id, "live_key_ceiling")).toBe(25);
  expect(await act("Set the spending limit", { "Euros a month": "12.50" })).toBe("The limit is €12.50 a month now.");
  expect(await organisation(id, "monthly_spend_limit_micro_cents")).toBe("1250000000");
  await expectWritten("Set the spending limit");
});

chromium.test("billing is set; what can't be so is refused in words, and changes nothing", async () => {
  const { id } = scene.tidewater.organisation;
  await seat.visit(`/organisations/${id}`);
  expect(await act("Set billing", { State: "On trial" })).toMatch(
    /^What was entered can't be used\. Nothing was changed\./,
  );
  expect(await organisation(id, "billing_state")).toBe("active");
  const told = await act("Set billing", {
    State: "On trial",
    "The trial ends, UTC": "2031-05-01T10:00",
    "Seats bought": "7",
  });
  expect(told).toBe("Its billing is trial now.");
  expect(await organisation(id, "trial_ends_at")).toEqual(new Date("2031-05-01T10:00:00Z"));
  expect(await organisation(id, "seats_bought")).toBe(7);
});

chromium.test("an organisation is suspended, and its keys with it; lifted, all goes on", async () => {
  const { tidewater } = scene;
  await seat.visit(`/organisations/${tidewater.organisation.id}`);
  expect(await act("Suspend")).toBe("It is suspended.");
  expect((await tidewater.ask("GET", "/organisation", undefined, "mayFail")).status).toBe(403);
  expect(await act("Lift the suspension")).toBe("It is suspended no longer.");
  expect((await tidewater.ask("GET", "/organisation")).status).toBe(200);
});

chromium.test("a subject is erased", async () => {
  const { harbour } = scene;
  const claim = {
    scope: "organisation",
    kind: "fact",
    subject: "Mr Wren",
    subjectKind: "third_party",
    value: "Likes tea.",
  };
  const { id } = (await harbour.ask("POST", "/memories", claim)).body;
  await seat.visit(`/organisations/${harbour.organisation.id}`);
  expect(await act("Erase a subject", { "Who they are": "Somebody outside", Subject: "Mr Wren" })).toMatch(
    /^Erased: 1 claims?\./,
  );
  expect(await office.db.sql("select from app.memories where id = $1", [id])).toEqual([]);
});

chromium.test("a kind of claim about people outside is restricted, and allowed again", async () => {
  const { harbour } = scene;
  const { id } = harbour.organisation;
  const restricted = () =>
    office.db.sql("select from app.third_party_restrictions where organisation_id = $1 and kind = 'pay_grade'", [id]);
  await seat.visit(`/organisations/${id}`);
  expect(await act("Restrict a kind", { Kind: "Pay grade" })).toBe("Restricted: pay_grade.");
  expect(await restricted()).toHaveLength(1);
  expect(await act("Allow a kind", { Kind: "pay-grade" })).toBe("Allowed: pay_grade.");
  expect(await restricted()).toEqual([]);
  await expectWritten("Allow a kind");
});

chromium.test("an endpoint is resumed, its failed deliveries recovered, and another disabled", async () => {
  const state = async (id: string) =>
    (await office.db.sql<{ state: string }>("select state from app.webhook_endpoints where id = $1", [id]))[0]?.state;
  await seat.visit(`/endpoints/${scene.disabledEndpoint.id}`);
  expect(await act("Resume")).toBe("It is active.");
  expect(await state(scene.disabledEndpoint.id)).toBe("active");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
  const told = await act("Recover deliveries", { What: "Deliveries that failed", "From, UTC": yesterday });
  expect(told).toMatch(/^Recovered: 1\./);
  await seat.visit(`/endpoints/${scene.failingEndpoint.id}`);
  expect(await act("Disable")).toBe("It is disabled.");
  expect(await state(scene.failingEndpoint.id)).toBe("disabled");
});

chromium.test("a key is revoked, and another minted, which works and is shown this once", async () => {
  const { id, email } = scene.tidewater.organisation;
  await seat.visit(`/organisations/${id}?tab=keys`);
  expect(await act("Revoke", {}, row("Import"))).toBe("The key is revoked.");
  await row("Import").getByText("revoked").waitFor();
  await seat.visit(`/organisations/${id}?tab=members`);
  const told = await act("Mint a key", { Name: "First aid", Scope: "read", "Life in days": "2" }, row(email));
  const key = told.match(/bsk_\w+/)?.[0];
  expect((await office.api.call("GET", "/me", { key: key ?? "" })).body.organisation.id).toBe(id);
  expect(await seat.page.content()).not.toContain(key);
});

chromium.test("an invitation is sent again, and an expired card answered for its person", async () => {
  await seat.visit(`/organisations/${scene.harbour.organisation.id}?tab=invitations`);
  const mails = () => office.db.sql("select from app.mails where recipient = 'wren@harbour.example'");
  const digest = () => office.db.sql("select token_digest from app.invitations where email = 'wren@harbour.example'");
  const [before] = [await digest(), await mails()];
  expect(await act("Send again", {}, row("wren@harbour.example"))).toBe("The mail is on its way.");
  expect(await digest()).not.toEqual(before);
  const card = await expiredCard();
  await seat.visit(`/organisations/${scene.workshop.who.organisation.id}?tab=cards`);
  expect(await act("Approve", {}, row("expired"))).toBe("The card is approved.");
  expect(await office.db.sql("select state from app.approvals where id = $1", [card])).toEqual([{ state: "approved" }]);
  expect(await office.db.sql("select value from app.memories where subject = 'Ropes'")).toEqual([
    { value: "They are new." },
  ]);
});

chromium.test("an expired card is refused for its person, and what it proposed is no claim", async () => {
  const card = await expiredCard();
  const claims = () => office.db.sql("select id from app.memories where subject = 'Ropes'");
  const before = await claims();
  await seat.visit(`/organisations/${scene.workshop.who.organisation.id}?tab=cards`);
  expect(await act("Refuse", {}, row("expired"))).toBe("The card is refused.");
  expect(await office.db.sql("select state from app.approvals where id = $1", [card])).toEqual([{ state: "refused" }]);
  expect(await claims()).toEqual(before);
  await expectWritten("Refuse");
  await row("expired").waitFor({ state: "detached" });
});

chromium.test("with keys alone: no reason, no act; Escape changes nothing and gives the focus back", async () => {
  const { page } = seat;
  await seat.visit(`/runs/${scene.runs.blocked}`);
  const button = page.getByRole("button", { name: "Cancel the run…" });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cancel the run" });
  await dialog.getByLabel("Reason").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // without a reason the browser does not send it
  expect(await dialog.getByLabel("Reason").evaluate((field) => field.matches(":focus:invalid"))).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await button.evaluate((element) => element.matches(":focus"))).toBe(true);
  expect(await office.db.sql("select state from app.runs where id = $1", [scene.runs.blocked])).toEqual([
    { state: "blocked" },
  ]);
});

chromium.test("what changed meanwhile is refused in words: a run that has ended can't be released", async () => {
  const run = await taken("Mend it.");
  await seat.visit(`/runs/${run.runId}`);
  await seat.page.getByRole("button", { name: "Release the run…" }).click();
  await scene.workshop.executor.finish(run);
  const dialog = seat.page.getByRole("dialog", { name: "Release the run" });
  await dialog.getByLabel("Reason").fill("It hangs.");
  await dialog.getByRole("button", { name: "Release the run", exact: true }).click();
  expect(await dialog.getByRole("alert").innerText()).toMatch(/^It is not in a state in which this can be done/);
});

chromium.test("whoever may only look sees what could be done, and that they may not", async () => {
  const { text: token } = await mintToken(office.db, "view", "Vera");
  const other = await takeSeat(chromium.browser, { url: here.url, token, path: `/runs/${scene.runs.blocked}` });
  const button = other.page.getByRole("button", { name: "Cancel the run…" });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await other.page.locator("main").innerText()).toContain("Not permitted: your token may look, not act");
  expect(await other.page.locator(".who").innerText()).toContain("may look, not act");
  await other.leave();
});

chromium.test("what a person sees is shown as the API tells it to them, and each look is written down", async () => {
  const { harbour } = scene;
  await harbour.ask("POST", "/memories", { scope: "organisation", kind: "fact", subject: "Quay", value: "It is wet." });
  await seat.visit(`/people/${scene.member}`);
  await seat.page.getByRole("link", { name: "View as this person" }).click();
  await seat.page.getByText("You see what they see").waitFor();
  const look = async (path: string) => {
    await seat.page.getByLabel("What to look at").fill(path);
    await seat.page.getByLabel("Reason").fill("They see no claims.");
    await seat.page.getByRole("button", { name: "Look" }).click();
    await seat.page.getByRole("heading", { name: `GET ${path}` }).waitFor();
    return seat.page.locator("section[aria-labelledby=look]").innerText();
  };
  expect(await look("/memories")).toContain("It is wet.");
  expect(await look("/keys")).toMatch(/may look, and not act|forbidden|can't|no longer there/i); // a plain member reads no keys
  const looks = await office.db.sql("select arguments from app.operator_acts where action = 'view_as' order by id");
  expect(looks.at(0)).toEqual({ arguments: { path: "/memories" } });
});

chromium.test("what operators did stands in a list, with the reason, of all and of each organisation", async () => {
  await seat.visit("/acts");
  expect(await seat.page.locator("main").innerText()).toMatch(
    /Otto\s+view as\s+Harbour & Co\s+…\w+\s+path \/memories\s+They see no claims\./,
  );
  await seat.visit(`/organisations/${scene.tidewater.organisation.id}?tab=acts`);
  const text = await seat.page.locator("main").innerText();
  expect(text).toMatch(/set limit\s+–\s+value 25, ceiling live_key_ceiling\s+Because of Set a limit/);
  expect(text).not.toContain("view as");
});
