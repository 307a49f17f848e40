/** Asking a bot from its page, asking again, the deliveries of a run, names of deleted bots, and a mailed link in Chromium. */
import { leased } from "../support/hand-executor.ts";
import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;

test("a person asks a bot on its page", () =>
  here.portal(async ({ page, open }) => {
    await open(`/portal/bots/${here.data.who.bot}`);
    await page.getByRole("button", { name: "Ask this bot…" }).click();
    const dialog = page.getByRole("dialog", { name: "Ask this bot" });
    await dialog.getByLabel("Message").fill("Is the crane free?");
    await dialog.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL("**/portal/runs/*");
    await seen(page.getByText("Is the crane free?"));
  }));

test("a failed run is started again with its message and its taint, after a look at both", () =>
  here.portal(async ({ page, open }) => {
    const { who, model, executor } = here.data;
    const { sql } = here.office.db;
    await sql("update app.runs set state = 'cancelled' where state = 'queued' and organisation_id = $1", [
      who.organisation.id,
    ]);
    const bot = (await who.ask("POST", "/bots", { name: "Pilot", model })).body.id;
    const body = { botId: bot, message: "Which berth?", untrusted: true };
    const { id } = (await who.ask("POST", "/runs", body)).body;
    await executor.fail(await leased(executor));
    await open(`/portal/runs/${id}`);
    await page.getByRole("button", { name: "Run again…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run again" });
    await seen(dialog.getByText("Which berth?"));
    await seen(dialog.getByText("yes", { exact: true }));
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/portal/runs/") && !url.pathname.endsWith(id));
    const [again] = await sql(
      "select taint, bot_id, retry_of from app.runs where organisation_id = $1 order by id desc limit 1",
      [who.organisation.id],
    );
    expect(again).toEqual({ taint: true, bot_id: bot, retry_of: id });
    await seen(page.getByRole("link", { name: id }));
  }));

test("a failed run continues after a step whose result is stored, and shows the step as used again", () =>
  here.portal(async ({ page, open }) => {
    const { who, executor } = here.data;
    const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "Which quay?" })).body;
    let run = await leased(executor);
    while (run.runId !== id) run = await leased(executor);
    await executor.keyedStep(run, "turn 1", "Quay 2.");
    await executor.step(run);
    await executor.fail(run);
    await open(`/portal/runs/${id}`);
    await page.getByRole("button", { name: "Run again…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run again" });
    await dialog.getByLabel("Begin").selectOption({ label: "After step 1: turn 1" }); // waits for the option
    expect(await dialog.getByRole("option").allInnerTexts()).toEqual(["From the start", "After step 1: turn 1"]);
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/portal/runs/") && !url.pathname.endsWith(id));
    await seen(page.getByRole("row").filter({ hasText: "think" }).locator("time").nth(1));
  }));

test("a run leads to the deliveries of its events", () =>
  here.portal(async ({ page, open }) => {
    await open(`/portal/runs/${here.data.runs.completed}`);
    const events = page.getByRole("region", { name: "Events and deliveries" });
    const row = events.getByRole("row").filter({ hasText: "run.finished" });
    await row.getByRole("link").first().click();
    await page.waitForURL("**/portal/endpoints/deliveries/*");
    await seen(page.getByText(`"runId": "${here.data.runs.completed}"`));
  }));

test("the list of runs shows the start of each message, and the name of a deleted bot", () =>
  here.portal(async ({ page, open }) => {
    const { who, model } = here.data;
    const bot = (await who.ask("POST", "/bots", { name: "Lamplighter", model })).body.id;
    await who.ask("POST", "/runs", { botId: bot, message: `Light the beacon. ${"x".repeat(300)}` });
    await who.ask("DELETE", `/bots/${bot}`);
    await open("/portal/runs");
    const row = page.getByRole("row", { name: /Light the beacon\./ });
    await seen(row.getByText("Lamplighter (deleted)"));
    expect(await row.getByRole("link", { name: /Light the beacon\./ }).innerText()).toHaveLength(200);
    expect(await page.getByRole("search").getByLabel("Bot").innerText()).not.toContain("Lamplighter");
  }));

test("a person has the link of a pending approval mailed again", () =>
  here.portal(async ({ page, open }) => {
    const mails = () =>
      here.office.db.sql("select from app.mails where kind = 'approval' and data ->> 'approvalId' = $1", [
        here.data.approval,
      ]);
    const before = (await mails()).length;
    await open(`/portal/approvals/${here.data.approval}`);
    await page.getByRole("button", { name: "Mail me the link again" }).click();
    await seen(page.getByText("The link is on its way to your mailbox."));
    expect((await mails()).length).toBe(before + 1);
  }));
