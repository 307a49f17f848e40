/** Pages of runs and approvals in Chromium. The executor's steps are controlled here, one by one. */

import { expireLease, leased } from "../support/hand-executor.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

test("the page of a run says why it waits", () =>
  here.portal(async ({ page, open }) => {
    const { who, executor, model, runs } = here.data;
    const { db } = here.office;
    const reason = page.locator("main .notice");
    const lastSeen = (ago: string) =>
      db.sql("update app.executors set last_seen_at = now() - $2::interval where id = $1", [executor.id, ago]);
    await open(`/portal/runs/${runs.waiting}`);
    await seen(reason.filter({ hasText: "The run waits for an answer to an approval." }));
    await open(`/portal/runs/${runs.blocked}`);
    await seen(reason.filter({ hasText: "The run waits until the person of the conversation resumes it." }));
    await lastSeen("0 s");
    await open(`/portal/runs/${runs.queued}`);
    await seen(reason.filter({ hasText: "The run waits for a free executor." }));
    await lastSeen("2 minutes");
    await seen(reason.filter({ hasText: `No executor serves the model ${model} at present.` })); // it refreshes
    await lastSeen("0 s");
    const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "And the nets?" })).body;
    const first = await leased(executor);
    await open(`/portal/runs/${id}`);
    await reason.getByRole("link", { name: "Show that run" }).click();
    await page.waitForURL(`**/portal/runs/${first.runId}`);
    await gone(reason);
    await executor.finish(first);
    await db.sql("update app.runs set state = 'paused_limit' where id = $1", [id]);
    await open(`/portal/runs/${id}`);
    await seen(reason.filter({ hasText: "The organisation has reached its monthly spending limit." }));
    await db.sql("update app.runs set state = 'cancelled', finished_at = now() where id = $1", [id]);
  }));

test("the page of a postponed run says when it starts", () =>
  here.portal(async ({ page, open, main }) => {
    const { who, executor } = here.data;
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "Later, please.", startAt })).body;
    await open(`/portal/runs/${id}`);
    const reason = page.locator("main .notice");
    await seen(reason.filter({ hasText: "The run starts at" }));
    expect(await reason.locator("time").getAttribute("datetime")).toBe(startAt);
    expect(await main()).toMatch(/Starts at\s/);
    await here.office.db.sql("update app.executors set last_seen_at = now() where id = $1", [executor.id]);
    await here.office.db.sql("update app.runs set start_at = now(), postponed = false where id = $1", [id]);
    await open(`/portal/runs/${id}`);
    await seen(reason.filter({ hasText: "The run waits for" }));
    await who.ask("POST", `/runs/${id}/cancel`);
  }));

test("the page of a run with a concurrency key says which run it waits for", () =>
  here.portal(async ({ page, open, main }) => {
    const { who, executor, model } = here.data;
    const concurrencyKey = "order 4711";
    const { id: other } = (await who.ask("POST", "/bots", { name: "Porter", model })).body;
    await here.office.db.sql("update app.executors set last_seen_at = now() where id = $1", [executor.id]);
    const first = (await who.ask("POST", "/runs", { botId: other, message: "First", concurrencyKey })).body.id;
    const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "Second", concurrencyKey })).body;
    await open(`/portal/runs/${id}`);
    const reason = page.locator("main .notice");
    await seen(reason.filter({ hasText: "The run waits for its turn among the runs with its concurrency key" }));
    expect(await main()).toMatch(/Concurrency key\s+order 4711/);
    await here.office.db.sql(
      "update app.runs set state = 'running', lease_id = uuidv7(), lease_until = now() + interval '1 hour' where id = $1",
      [first],
    );
    await seen(reason.filter({ hasText: "The run waits until another run with its concurrency key has ended." }));
    expect(await reason.getByRole("link").getAttribute("href")).toBe(`/portal/runs/${first}`);
    for (const run of [first, id]) await who.ask("POST", `/runs/${run}/cancel`);
  }));

test("a started run appears live: state, steps and answer, without a reload", () =>
  here.portal(async ({ page, open, main }) => {
    const { who, executor, model } = here.data;
    const { id: bot } = (await who.ask("POST", "/bots", { name: "Ferryman", model })).body;
    await open("/portal/runs");
    await page.getByRole("button", { name: "Start a run…" }).click();
    const dialog = page.getByRole("dialog", { name: "Start a run" });
    await dialog.getByLabel("Bot").selectOption(bot);
    await dialog.getByLabel("Message", { exact: true }).fill("When does the ferry leave?");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL("**/portal/runs/*-*");
    const runId = page.url().split("/").at(-1);
    await seen(page.getByText("Live", { exact: true }));
    let run = await leased(executor);
    if (run.runId !== runId) run = await leased(executor); // the first was the queued run of the fixture
    await seen(page.getByText("running", { exact: true }));
    await executor.step(run, 2_500_000);
    await seen(page.getByRole("table", { name: "Steps, newest first" }).getByRole("cell", { name: "think" }));
    await executor.finish(run, "At seven.");
    await seen(page.getByText("completed", { exact: true }));
    await seen(page.getByText("At seven."));
    expect(await main()).toMatch(/Cost\s+€0\.025/);
    expect(await page.getByRole("button", { name: "Cancel run…" }).count()).toBe(0);
    const [stored] = await here.office.db.sql("select state, trigger from app.runs where id = $1", [runId]);
    expect(stored).toEqual({ state: "completed", trigger: "api" });
  }));

test("a step whose result another executor uses again says when, without a reload", () =>
  here.portal(async ({ page, open }) => {
    const { who, executor } = here.data;
    const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "When does the ferry leave?" })).body;
    let run = await leased(executor);
    while (run.runId !== id) run = await leased(executor);
    await executor.keyedStep(run, "turn 1", "At seven.");
    await open(`/portal/runs/${id}`);
    const times = page.getByRole("row").filter({ hasText: "think" }).locator("time");
    await seen(times);
    expect(await times.count()).toBe(1);
    await expireLease(here.office.db, id);
    run = await leased(executor);
    await seen(times.nth(1));
    await executor.finish(run, "At seven.");
  }));

test("resuming a blocked run queues it with the message", () =>
  here.portal(async ({ page, open }) => {
    const { blocked } = here.data.runs;
    await open(`/portal/runs/${blocked}`);
    await seen(page.getByText("Which of the two dates?"));
    await page.getByRole("button", { name: "Resume…" }).click();
    await page.getByLabel("Message to the bot (optional)").fill("The earlier one.");
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await seen(page.getByText("queued", { exact: true }));
    await seen(page.getByText("The earlier one."));
    const [stored] = await here.office.db.sql("select state from app.runs where id = $1", [blocked]);
    expect(stored).toEqual({ state: "queued" });
  }));

test("cancelling a run asks first, then shows it as cancelled", () =>
  here.portal(async ({ page, open }) => {
    const { waiting } = here.data.runs;
    const stateOf = async () => (await here.data.who.ask("GET", `/runs/${waiting}`)).body.state;
    await open(`/portal/runs/${waiting}`);
    await page.getByRole("button", { name: "Cancel run…" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel the run?" });
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    expect(await stateOf()).toBe("waiting_approval");
    await page.getByRole("button", { name: "Cancel run…" }).click();
    await dialog.getByRole("button", { name: "Cancel run", exact: true }).click();
    await gone(dialog);
    await seen(page.getByText("cancelled", { exact: true }));
    expect(await stateOf()).toBe("cancelled");
  }));

test("chosen runs are cancelled after a question", () =>
  here.portal(async ({ page, open }) => {
    const { who, model } = here.data;
    const bot = (await who.ask("POST", "/bots", { name: "Bosun", model })).body.id;
    const { id } = (await who.ask("POST", "/runs", { botId: bot, message: "And now?" })).body;
    await open("/portal/runs");
    await page.getByLabel(/^Choose Bosun/).check();
    await page.getByRole("button", { name: "Cancel chosen runs: 1…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel runs" }).click();
    await seen(page.getByText("Cancelled runs: 1."));
    expect((await who.ask("GET", `/runs/${id}`)).body.state).toBe("cancelled");
  }));

test("filters of the list are in the address and survive a reload", () =>
  here.portal(async ({ page, open }) => {
    const { completed } = here.data.runs;
    const rows = page.getByRole("table", { name: "Runs, newest first" }).locator("tbody tr");
    await open("/portal/runs");
    expect(await rows.count()).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("search").getByLabel("State").selectOption("completed");
    await page.waitForURL("**/portal/runs?state=completed");
    await eventually(async () => (await rows.allInnerTexts()).every((text) => text.includes("completed")));
    expect(await rows.locator(`a[href="/portal/runs/${completed}"]`).count()).toBe(1);
    await page.reload();
    await settled(page);
    expect((await rows.allInnerTexts()).every((text) => text.includes("completed"))).toBe(true);
    await page.getByLabel("Time").selectOption("From … to …");
    await page.getByLabel("To", { exact: true }).fill("2001-01-01T00:00");
    await seen(page.getByText("No run matches the filters."));
  }));

test("an approval shows its question or its proposed memory, and a run its approvals", () =>
  here.portal(async ({ page, open, main }) => {
    const { runs, approval } = here.data;
    await open(`/portal/runs/${runs.waiting}`);
    await page.getByRole("link", { name: "May I order 40 m of rope?" }).click();
    await page.waitForURL(`**/portal/approvals/${approval}`);
    await seen(page.getByText("It costs 160 euros."));
    await open("/portal/approvals");
    const row = page.getByRole("row", { name: /Store a memory/ });
    expect(await row.innerText()).toContain("Ropes: Ropes cost 4 euros a metre.");
    await row.getByRole("link").first().click();
    await seen(page.getByText("Proposed memory"));
    expect(await main()).toMatch(/Subject\s+Ropes\s+Value\s+Ropes cost 4 euros a metre\.\s+Kind\s+price/);
  }));

test("another person's run shows its steps, but not its conversation", () =>
  here.portal(
    async ({ page, open }) => {
      await open(`/portal/runs/${here.data.runs.completed}`);
      await seen(page.getByText("Only the person of the conversation can read its messages."));
      await seen(page.getByRole("cell", { name: "think" }));
      expect(await page.getByText("When is the harbour office open?").count()).toBe(0);
    },
    { session: { personId: here.data.member } },
  ));

test("steps that arrive later keep the steps of earlier pages", () =>
  here.portal(async ({ page, open }) => {
    const { executor } = here.data;
    const run = await leased(executor); // resumed by an earlier test
    const [{ steps } = { steps: 0 }] = await here.office.db.sql<{ steps: number }>(
      "update app.runs set budget_steps = 1000 where id = $1 returning steps + 101 as steps", // more than a page
      [run.runId],
    );
    for (let step = 0; step < 101; step += 1) await executor.step(run);
    await open(`/portal/runs/${run.runId}`);
    await seen(page.getByText(`${steps} rows`, { exact: true }));
    await executor.step(run);
    await seen(page.getByText(`${steps + 1} rows`, { exact: true }));
    await executor.finish(run);
  }));

test("the page of a run shows the answer while it is written, announces it once, and replaces it by the answer", () =>
  here.portal(async ({ page, open }) => {
    const { who, executor } = here.data;
    const { id } = (await who.ask("POST", "/runs", { botId: who.bot, message: "How deep is it?" })).body;
    const run = await leased(executor);
    await open(`/portal/runs/${id}`);
    const preview = page.locator("li.message[aria-busy=true]");
    await eventually(async () => {
      await executor.delta(run, 0, "Nine fath");
      return (await preview.count()) > 0;
    });
    await executor.delta(run, 9, "oms, says the chart");
    await seen(preview.filter({ hasText: "Nine fathoms, says the chart" }));
    const live = page.locator("[role=status], [aria-live]");
    expect((await live.allTextContents()).join(" ")).toContain("The bot writes an answer.");
    expect((await live.allTextContents()).join(" ")).not.toContain("fathoms");
    await executor.delta(run, 0, "Ten");
    await seen(preview.getByText("Ten", { exact: true }));
    await executor.finish(run, "Ten fathoms.");
    await seen(page.locator("li.message").filter({ hasText: "Ten fathoms." }));
    await gone(preview);
    expect((await live.allTextContents()).join(" ")).not.toContain("The bot writes");
  }));
