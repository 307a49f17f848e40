/** Each operator action through its dialog in Chromium, and its effect in the database. */
import type { Locator } from "playwright-core";
import type { Assignment } from "../../src/runner/engine.ts";
import { browserOfFile } from "../support/browser.ts";
import { mintToken } from "../support/console.ts";
import { consoleWithDataOfFile } from "../support/console-fixture.ts";
import { performAction, sessionOfFile, signInBrowser } from "../support/console-page.ts";
import { leased } from "../support/hand-executor.ts";
import { gone, seen } from "../support/page-change.ts";
import { eventually } from "../support/worker.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();
const session = sessionOfFile(chromium, here);

const sql = (text: string, values: unknown[] = []) => here.office.db.sql(text, values);
const first = async (text: string, values: unknown[]) => (await sql(text, values))[0];

const perform = (title: string, entries?: Record<string, string>, within?: Locator) =>
  performAction(session.page, title, entries, within);

const row = (text: string) => session.page.getByRole("row").filter({ hasText: text });

/** Leases a run of a new bot to the executor. */
async function leasedRun(message: string, untrusted = false): Promise<Assignment> {
  const { who, executor, model } = here.fixture.workshop;
  await sql("update app.executors set last_seen_at = now() where id = $1", [executor.id]);
  const { id: botId } = (await who.ask("POST", "/bots", { name: "Bertie", model })).body;
  const { id } = (await who.ask("POST", "/runs", { botId, message, untrusted })).body;
  for (;;) {
    const run = await leased(executor);
    if (run.runId === id) return run; // older runs come first
  }
}

/** An expired approval of a memory that a tainted run proposed. */
async function expiredApproval(): Promise<string | undefined> {
  const run = await leasedRun("The ropes are new.", true);
  const memory = { scope: "organisation", kind: "fact", subject: "Ropes", value: "They are new." };
  const { approvalId } = await here.fixture.workshop.executor.propose(run, memory);
  await sql("update app.approvals set expires_at = now() - interval '1 second' where id = $1", [approvalId]);
  return approvalId;
}

/** Expects an entry of the operator log with the reason of this action. */
async function expectLogged(title: string, operator = "Otto"): Promise<void> {
  const entries = await sql("select operator from app.operator_actions where reason = $1", [`Because of ${title}`]);
  expect(entries.at(-1)).toEqual({ operator });
}

const stateOf = async (table: string, id: string | undefined) =>
  (await first(`select state from app.${table} where id = $1`, [id]))?.state;

const organisation = async (id: string, column: string) =>
  (await first(`select ${column} as value from app.organisations where id = $1`, [id]))?.value;

const maximum = async (of: string, name: string) =>
  (await first("select maximum from app.organisation_limits where organisation_id = $1 and name = $2", [of, name]))
    ?.maximum;

chromium.test("a run can be released and cancelled", async () => {
  const state = () => stateOf("runs", here.fixture.runs.working);
  await session.open(`/runs/${here.fixture.runs.working}`);
  expect(await perform("Release the run")).toBe("The run is queued.");
  expect(await state()).toBe("queued");
  expect(await perform("Cancel the run")).toBe("The run is cancelled.");
  expect(await state()).toBe("cancelled");
  await seen(session.page.locator(".heading .badge", { hasText: "cancelled" }));
});

chromium.test("failed runs can be counted and retried, of one organisation and of all", async () => {
  const { executor, model, who } = here.fixture.workshop;
  const name = await organisation(who.organisation.id, "name");
  const retries = async (of: string) => (await sql("select from app.runs where retry_of = $1", [of])).length;
  const [one, other] = [await leasedRun("First?"), await leasedRun("Second?")];
  for (const run of [one, other]) await executor.fail(run);
  const values = { "Model of the bots": model, "Started from": "2020-01-01T00:00" };
  await session.open("/deliveries-and-runs");
  const counted = await perform("Retry failed runs of all organisations", { What: "Only count them", ...values });
  expect(counted).toMatch(new RegExp(`^Retried: 0\\. Left: \\d+, of 1 organisations\\.\\s+Left\\s+${name}: \\d+$`));
  expect(await retries(one.runId)).toBe(0);
  const retried = await perform("Retry failed runs of all organisations", { What: "Retry them", ...values });
  expect(retried).toMatch(new RegExp(`^Retried: \\d+\\. Left: 0, of 0 organisations\\.\\s+Retried\\s+${name}: \\d+$`));
  expect([await retries(one.runId), await retries(other.runId)]).toEqual([1, 1]);
  await expectLogged("Retry failed runs of all organisations");
  await session.open(`/organisations/${who.organisation.id}`);
  expect(await perform("Retry failed runs", { What: "Retry them", ...values })).toBe("Retried: 0. Left: 0.");
});

chromium.test("setting a limit updates the page; the spending limit is entered in euros", async () => {
  const { id } = here.fixture.tidewater.organisation;
  await session.open(`/organisations/${id}`);
  expect(await perform("Set a limit", { Limit: "Live keys", "New value": "25" })).toBe("The limit is now 25.");
  await seen(session.page.getByText("3 of 25"));
  expect(await maximum(id, "liveKeys")).toBe("25");
  await session.page.getByRole("button", { name: "Set a limit…" }).click();
  await session.page.getByRole("dialog").getByLabel("Limit").selectOption("Live keys (now 25)");
  await session.page.keyboard.press("Escape");
  expect(await perform("Set the spending limit", { "Euros per month": "12.50" })).toBe(
    "The limit is now €12.50 per month.",
  );
  expect(await maximum(id, "monthlySpendMicroCents")).toBe("1250000000");
  await session.page.getByRole("button", { name: "Set the spending limit…" }).click();
  const present = session.page.getByRole("dialog").getByLabel("Euros per month");
  await eventually(async () => (await present.inputValue()) === "12.5");
  await session.page.keyboard.press("Escape");
  await expectLogged("Set the spending limit");
});

chromium.test("billing can be set; invalid input is refused with a message and changes nothing", async () => {
  const { id } = here.fixture.tidewater.organisation;
  await session.open(`/organisations/${id}`);
  expect(await perform("Set billing", { State: "On trial", "Trial end": "" })).toBe(
    "The input is invalid. Nothing was changed. Trial end: A trial needs a time in the future. Other states have none.",
  );
  expect(await organisation(id, "billing_state")).toBe("active");
  const message = await perform("Set billing", {
    State: "On trial",
    "Trial end": "2031-05-01T10:00",
    "Seats bought": "7",
  });
  expect(message).toBe("Billing is now trial.");
  expect(await organisation(id, "trial_ends_at")).toEqual(new Date("2031-05-01T10:00:00Z"));
  expect(await organisation(id, "seats_bought")).toBe(7);
});

chromium.test("suspending an organisation refuses its keys until the suspension is lifted", async () => {
  const { tidewater } = here.fixture;
  await session.open(`/organisations/${tidewater.organisation.id}`);
  expect(await perform("Suspend")).toBe("The organisation is suspended.");
  expect((await tidewater.ask("GET", "/organisation", undefined, "mayFail")).status).toBe(403);
  expect(await perform("Lift the suspension")).toBe("The suspension is lifted.");
  expect((await tidewater.ask("GET", "/organisation")).status).toBe(200);
});

chromium.test("a subject can be erased", async () => {
  const { harbour } = here.fixture;
  const memory = {
    scope: "organisation",
    kind: "fact",
    subject: "Mr Wren",
    subjectKind: "third_party",
    value: "Likes tea.",
  };
  const { id } = (await harbour.ask("POST", "/memories", memory)).body;
  await session.open(`/organisations/${harbour.organisation.id}`);
  expect(await perform("Erase a subject", { "Kind of subject": "A third party", Subject: "Mr Wren" })).toMatch(
    /^Memories erased: 1\./,
  );
  expect(await sql("select from app.memories where id = $1", [id])).toEqual([]);
});

chromium.test("a kind of memory about third parties can be restricted and allowed", async () => {
  const { harbour } = here.fixture;
  const { id } = harbour.organisation;
  const restricted = () =>
    sql("select from app.third_party_restrictions where organisation_id = $1 and kind = 'pay_grade'", [id]);
  await session.open(`/organisations/${id}`);
  expect(await perform("Restrict a kind", { Kind: "Pay grade" })).toBe("Restricted: pay_grade.");
  expect(await restricted()).toHaveLength(1);
  expect(await perform("Allow a kind", { Kind: "pay-grade" })).toBe("Allowed: pay_grade.");
  expect(await restricted()).toEqual([]);
  await expectLogged("Allow a kind");
});

chromium.test("an endpoint can be resumed, its deliveries recovered, and another endpoint disabled", async () => {
  const state = (id: string) => stateOf("webhook_endpoints", id);
  await session.open(`/endpoints/${here.fixture.disabledEndpoint.id}`);
  expect(await perform("Resume")).toBe("The endpoint is active.");
  expect(await state(here.fixture.disabledEndpoint.id)).toBe("active");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
  const message = await perform("Recover deliveries", { What: "Failed deliveries", From: yesterday });
  expect(message).toMatch(/^Recovered: 1\./);
  await session.open(`/endpoints/${here.fixture.failingEndpoint.id}`);
  expect(await perform("Disable")).toBe("The endpoint is disabled.");
  expect(await state(here.fixture.failingEndpoint.id)).toBe("disabled");
});

chromium.test("a key can be revoked; a minted key works and is shown only once", async () => {
  const { id, email } = here.fixture.tidewater.organisation;
  await session.open(`/organisations/${id}?tab=keys`);
  expect(await perform("Revoke", {}, row("Import"))).toBe("The key is revoked.");
  await seen(row("Import").getByText("revoked"));
  await session.open(`/organisations/${id}?tab=members`);
  const message = await perform(
    "Mint a key",
    { Name: "First aid", Scope: "read", "Days until expiry": "2" },
    row(email),
  );
  const key = message.match(/bsk_\w+/)?.[0];
  expect((await here.office.api.call("GET", "/me", { key: key ?? "" })).body.organisation.id).toBe(id);
  expect(await session.page.content()).not.toContain(key);
});

chromium.test("a minted key stays on Escape until it is copied or given up", async () => {
  const { id, email } = here.fixture.tidewater.organisation;
  await session.open(`/organisations/${id}?tab=members`);
  await row(email).getByRole("button", { name: "Mint a key…" }).click();
  const dialog = session.page.getByRole("dialog", { name: "Mint a key" });
  await dialog.getByLabel(/^Name/).fill("Second aid");
  await dialog.getByLabel("Days until expiry").fill("2");
  await dialog.getByLabel("Reason").fill("The first one was lost.");
  await dialog.getByRole("button", { name: "Mint a key", exact: true }).click();
  await seen(dialog.getByText("Not copied yet."));
  await session.page.keyboard.press("Escape");
  await session.page.keyboard.press("Escape");
  await seen(dialog.getByText("The key is not copied, and cannot be shown again."));
  expect(await dialog.locator("pre.secret").innerText()).toMatch(/^bsk_\w{49}$/);
  await dialog.getByRole("button", { name: "Close without copying" }).click();
});

chromium.test("an invitation can be resent, and an expired approval approved", async () => {
  await session.open(`/organisations/${here.fixture.harbour.organisation.id}?tab=invitations`);
  const digest = () => sql("select token_digest from app.invitations where email = 'wren@harbour.example'");
  const before = await digest();
  expect(await perform("Send again", {}, row("wren@harbour.example"))).toBe("The email is queued.");
  expect(await digest()).not.toEqual(before);
  const approval = await expiredApproval();
  await session.open(`/organisations/${here.fixture.workshop.who.organisation.id}?tab=approvals`);
  expect(await perform("Approve", {}, row("expired"))).toBe("The approval is approved.");
  expect(await stateOf("approvals", approval)).toBe("approved");
  expect(await sql("select value from app.memories where subject = 'Ropes'")).toEqual([{ value: "They are new." }]);
});

chromium.test("refusing an expired approval creates no memory", async () => {
  const approval = await expiredApproval();
  const memories = () => sql("select id from app.memories where subject = 'Ropes'");
  const before = await memories();
  await session.open(`/organisations/${here.fixture.workshop.who.organisation.id}?tab=approvals`);
  expect(await perform("Refuse", {}, row("expired"))).toBe("The approval is refused.");
  expect(await stateOf("approvals", approval)).toBe("refused");
  expect(await memories()).toEqual(before);
  await expectLogged("Refuse");
  await gone(row("expired"));
});

chromium.test("by keyboard, a dialog needs a reason; Escape closes it and restores the focus", async () => {
  const { page } = session;
  await session.open(`/runs/${here.fixture.runs.blocked}`);
  const button = page.getByRole("button", { name: "Cancel the run…" });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cancel the run" });
  await dialog.getByLabel("Reason").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // the browser requires a reason
  expect(await dialog.getByLabel("Reason").evaluate((field) => field.matches(":focus:invalid"))).toBe(true);
  await page.keyboard.press("Escape");
  await gone(dialog);
  await eventually(() => button.evaluate((element) => element.matches(":focus"))); // after the dialog is gone
  expect(await stateOf("runs", here.fixture.runs.blocked)).toBe("blocked");
});

chromium.test("releasing a run that ended meanwhile is refused with a message", async () => {
  const run = await leasedRun("Mend it.");
  await session.open(`/runs/${run.runId}`);
  await session.page.getByRole("button", { name: "Release the run…" }).click();
  await here.fixture.workshop.executor.finish(run);
  const dialog = session.page.getByRole("dialog", { name: "Release the run" });
  await dialog.getByLabel("Reason").fill("It hangs.");
  await dialog.getByRole("button", { name: "Release the run", exact: true }).click();
  expect(await dialog.getByRole("alert").innerText()).toMatch(/^Its state does not allow this/);
});

chromium.test("a token of scope view sees disabled actions and the reason", async () => {
  const { text: token } = await mintToken(here.office.db, "view", "Vera");
  const other = await signInBrowser(chromium.browser, {
    url: here.testServer.url,
    token,
    path: `/runs/${here.fixture.runs.blocked}`,
  });
  const button = other.page.getByRole("button", { name: "Cancel the run…" });
  await seen(button);
  expect(await button.isDisabled()).toBe(true);
  expect(await other.page.locator("main").innerText()).toContain("Not permitted: your token can view only");
  expect(await other.page.locator(".signed-in").innerText()).toContain("can view only");
  await other.close();
});

chromium.test("the operator log lists actions with reasons, for all organisations and for one", async () => {
  await session.open("/operator-log");
  expect(await session.page.locator("main").innerText()).toMatch(
    /Otto\s+lift suspension\s+Tidewater Trading\s+–\s+–\s+Because of Lift the suspension/,
  );
  expect(await session.page.locator("main").innerText()).toMatch(/command line\s+mint token\s+–\s+…\w+\s+.*scope act/);
  await session.open(`/organisations/${here.fixture.tidewater.organisation.id}?tab=operator-actions`);
  const text = await session.page.locator("main").innerText();
  expect(text).toMatch(
    /set limit\s+–\s+(?:name liveKeys, maximum 25|maximum 25, name liveKeys)\s+Because of Set a limit/,
  );
  expect(text).not.toContain("erase subject");
});
