/** The overview in Chromium: what needs attention, the charts and the limits. */
import { phone } from "../support/console-page.ts";
import { seen } from "../support/page-change.ts";
import { openPortal, portalOfFile } from "../support/portal-page.ts";
import { customer } from "../support/post-office.ts";

const here = portalOfFile();
const { test } = here.chromium;
const read = async (path: string) => (await here.data.who.ask("GET", path)).body;
const organisation = (set: string) =>
  here.office.db.sql(`update app.organisations set ${set} where id = $1`, [here.data.who.organisation.id]);

test("the overview names approvals, blocked runs, expiring keys and the use of each limit", () =>
  here.portal(async ({ page, open, main }) => {
    await open("/portal/");
    for (const text of ["Approvals that wait", "Blocked runs: 1", /The key Crane expires on /]) {
      await seen(page.getByRole("link", { name: text }));
    }
    const counts = page.locator("nav [data-count]");
    expect(
      await counts.evaluateAll((all) => all.map((link) => `${link.textContent}: ${link.getAttribute("title")}`)),
    ).toEqual(["Approvals: 2 pending", "Endpoints: 1 need attention"]);
    expect(await main()).toContain("Runs started per hour");
    const chart = page.getByRole("table", { name: "Runs started per hour, last 24 hours" });
    expect(await chart.locator("tbody tr").count()).toBe(24);
    const sums = (name: string) =>
      page
        .getByRole("table", { name })
        .locator("tbody tr")
        .evaluateAll((rows) =>
          [1, 2, 3].map((cell) => rows.reduce((sum, row) => sum + Number(row.children[cell]?.textContent), 0)),
        );
    const { id } = here.data.who.organisation;
    const [stored] = await here.office.db.sql<Record<string, number>>(
      `select count(*) filter (where state = 'completed')::integer as completed, count(*)::integer as runs,
         (select count(*) from app.deliveries where organisation_id = $1 and state = 'failed')::integer as failed,
         (select count(*) from app.deliveries where organisation_id = $1 and state = 'pending')::integer as pending
       from app.runs where organisation_id = $1`,
      [id],
    );
    const { completed = 0, runs = 0, failed, pending } = stored ?? {};
    expect([completed, failed]).toEqual([1, 1]);
    expect(await sums("Runs started per hour, last 24 hours")).toEqual([completed, 0, runs - completed]);
    expect(await sums("Deliveries per hour, last 24 hours")).toEqual([0, failed, pending]);
    expect(await page.locator(".limits dt").count()).toBe(Object.keys((await read("/me")).limits).length);
  }));

const states: [state: string, set: string, text: RegExp | null][] = [
  ["a trial of 20 more days", "billing_state = 'trial', trial_ends_at = now() + interval '20 days'", null],
  ["a trial of 5 more days", "trial_ends_at = now() + interval '5 days'", /^The trial ends on .+ need a payment\.$/],
  ["an ended trial", "trial_ends_at = now()", /^The trial has ended\./],
  ["no payment", "billing_state = 'none', trial_ends_at = null", /^There is no payment\./],
  ["a payment", "billing_state = 'active'", null],
  [
    "a scheduled deletion",
    "deletion_at = now() + interval '20 days'",
    /^The organisation and all its data will be deleted on .+\d{4}\. To keep them, ask your operator\.$/,
  ],
  ["a cancelled deletion", "deletion_at = null", null],
];

for (const [state, set, text] of states) {
  test(`the overview of an organisation with ${state} ${text ? "says so" : "needs no attention for it"}`, async () => {
    await organisation(set);
    await here.portal(async ({ page, open }) => {
      await open("/portal/");
      await seen(page.getByRole("link", { name: "Blocked runs: 1" }));
      const items = page.locator(".attention li");
      if (text) await seen(items.getByText(text).or(items.filter({ hasText: text })));
      else expect(await items.filter({ hasText: /trial|payment|deleted/ }).count()).toBe(0);
    });
  });
}

test("the overview names what is paused, skipped or used up, and runs without an executor", async () => {
  const { db } = here.office;
  const { who, executor, routine, hook, endpoint } = here.data;
  await who.ask("PATCH", `/routines/${routine}`, { state: "paused" });
  const skipped = {
    botId: who.bot,
    name: "Evening round",
    schedule: "0 20 * * *",
    timeZone: "UTC",
    message: "And now?",
  };
  const { id } = (await who.ask("POST", "/routines", skipped)).body;
  await db.sql("update app.routines set last_skipped_at = now(), last_skip_reason = 'payment_required' where id = $1", [
    id,
  ]);
  await db.sql("update app.hooks set state = 'paused', pause_reason = 'creator_not_admin' where id = $1", [hook]);
  await db.sql("insert into app.organisation_limits (organisation_id, name, maximum) values ($1, 'liveWebhooks', 2)", [
    who.organisation.id,
  ]);
  await who.ask("PATCH", `/webhooks/${endpoint}`, { state: "paused" });
  await db.sql("update app.executors set last_seen_at = now() - interval '2 minutes' where id = $1", [executor.id]);
  await here.portal(async ({ page, open }) => {
    const links: [text: string, path: string][] = [
      ["Routine Morning round: Paused by a person.", `/portal/routines/${routine}`],
      ["Routine Evening round: The last time was skipped: payment required.", `/portal/routines/${id}`],
      ["Hook Alerts of the crane: Paused: its creator is no longer an owner or admin.", `/portal/hooks/${hook}`],
      ["The endpoint Crane is paused. It gets no deliveries.", `/portal/endpoints/${endpoint}`],
      ['The limit "Live endpoints" is used up.', "#limits"],
      ["Queued runs whose model no executor serves: 1", "/portal/runs?state=queued"],
    ];
    await open("/portal/");
    for (const [name, path] of links) {
      const link = page.getByRole("link", { name, exact: true });
      await seen(link);
      expect(await link.getAttribute("href")).toBe(path);
    }
    // What does not work comes first.
    const classes = await page.locator(".attention li").evaluateAll((all) => all.map((item) => item.className));
    expect(classes).toEqual(classes.toSorted());
  });
});

test("a phone shows the organisation's name, also beside the way back to the application", () =>
  here.portal(
    async ({ page }) => {
      const name = page.locator(".brand");
      expect(await name.innerText()).toContain("Harbour & Co");
      const [shown, whole] = await name.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
      expect(shown).toBe(whole);
      await seen(page.getByRole("link", { name: "Back to the application" }));
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.viewport.width);
    },
    { session: { returnUrl: "https://app.example.com/settings" }, options: phone },
  ));

test("a new organisation sees its first steps, and which of them are done", async () => {
  const who = await customer(here.office);
  const tab = await openPortal(here.chromium.browser, { url: here.office.api.url, who });
  const steps = tab.page.getByRole("region", { name: "Get started" });
  await seen(steps.getByText("done")); // it has a bot
  await steps.getByRole("link", { name: "Create an endpoint" }).click();
  await seen(tab.page.getByRole("heading", { name: "Endpoints" }));
  await tab.close();
});
