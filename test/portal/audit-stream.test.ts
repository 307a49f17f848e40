/** The panel of the audit stream on the page of the audit log, in Chromium. */
import { clickAction } from "../support/menu.ts";
import { giveUp } from "../support/one-time.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;
const read = async () => (await here.data.who.ask("GET", "/audit/stream", undefined, "mayFail")).body;
const url = "https://siem.harbour.example/botstead";
const changeRow = (changes: string) =>
  here.office.db.sql(`update app.audit_streams set ${changes} where organisation_id = $1`, [
    here.data.who.organisation.id,
  ]);

test("a stream is set up, edited, paused, enabled, rotated and deleted; its secret is shown once", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/audit");
    const panel = page.getByRole("region", { name: "Audit stream" });
    await seen(panel.getByText("The log is not sent anywhere."));
    await panel.getByRole("button", { name: "Set up a stream…" }).click();
    const create = page.getByRole("dialog", { name: "Set up the audit stream" });
    const field = create.locator("label", { has: page.locator('[name="url"]') });
    await field.getByRole("textbox").fill("https://10.0.0.1/");
    await create.getByLabel("Format").selectOption("OCSF 1.3");
    await create.getByRole("button", { name: "Set up", exact: true }).click();
    await seen(field.getByRole("alert"));
    expect(await read()).toMatchObject({ error: { code: "not_found" } });
    await field.getByRole("textbox").fill(url);
    await create.getByRole("button", { name: "Set up", exact: true }).click();
    const secret = page.getByRole("dialog", { name: "The signing secret" });
    const text = await secret.locator("pre.secret").innerText();
    expect(text).toMatch(/^whsec_[\w+/]{43}=$/);
    await giveUp(secret);
    const made = await read();
    expect(made).toMatchObject({ url, format: "ocsf", state: "active" });
    await seen(panel.getByText("active", { exact: true }));
    expect(await panel.innerText()).toMatch(new RegExp(`${url}[\\s\\S]*OCSF 1\\.3[\\s\\S]*No\\. 0 of \\d+`));
    await open("/portal/audit");
    await seen(panel.getByText(url));
    expect(await page.content()).not.toContain(text);

    await clickAction(page, "Edit…");
    const edit = page.getByRole("dialog", { name: "Edit the stream" });
    expect(await edit.getByLabel("Address").inputValue()).toBe(url);
    await edit.getByLabel("Format").selectOption("Entries of Botstead");
    await edit.getByRole("button", { name: "Save" }).click();
    await gone(edit);
    expect(await read()).toMatchObject({ url, format: "entries" });

    await clickAction(page, "Pause");
    await seen(panel.getByText("The stream is paused."));
    expect(await read()).toMatchObject({ state: "paused" });
    await panel.getByRole("button", { name: "Resume" }).click();
    await gone(panel.getByText("The stream is paused."));
    expect(await read()).toMatchObject({ state: "active" });

    await clickAction(page, "Rotate secret…");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
    expect(await secret.locator("pre.secret").innerText()).not.toBe(text);
    await giveUp(secret);

    await clickAction(page, "Delete stream…");
    await page.getByRole("dialog").getByRole("button", { name: "Delete stream", exact: true }).click();
    await seen(panel.getByText("The log is not sent anywhere."));
    await seen(panel.getByRole("button", { name: "Set up a stream…" }));
    expect(await read()).toMatchObject({ error: { code: "not_found" } });
  }));

test("the panel follows the stream: how far it is, its failures, and why it is disabled until it is enabled", () =>
  here.portal(async ({ page, open }) => {
    const { who } = here.data;
    const [entry] = (await who.ask("GET", "/audit?limit=1")).body.data;
    await who.ask("POST", "/audit/stream", { url, afterEntryId: entry.id });
    await open("/portal/audit");
    const panel = page.getByRole("region", { name: "Audit stream" });
    await eventually(async () => (await panel.innerText()).includes(`No. ${entry.sequence} of ${entry.sequence + 1}`));
    await changeRow("last_status_code = 503, degraded_since = now(), consecutive_failures = 4");
    await seen(panel.getByText("The stream has failed since"));
    await seen(panel.getByText("Rounds of attempts that failed in a row: 4."));
    await seen(panel.getByText("status 503"));
    await seen(panel.getByText("failing", { exact: true }));
    const attention = page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "audit stream" });
    await open("/portal/");
    await seen(attention.getByText("The audit stream fails. Later entries wait."));
    expect(await attention.getAttribute("href")).toBe("/portal/audit");
    await changeRow("state = 'disabled', disabled_reason = 'gone', disabled_at = now()");
    await open("/portal/");
    await seen(attention.getByText("The audit stream is disabled. The log is not sent."));
    await open("/portal/audit");
    for (const [reason, words] of [
      ["gone", "Its endpoint answered that it is gone (410)."],
      ["consecutive_failures", "Ten rounds of attempts in a row have failed."],
      ["operator", "An operator of the service has disabled it."],
    ] as const) {
      await changeRow(`state = 'disabled', disabled_reason = '${reason}', disabled_at = now()`);
      await seen(panel.getByText(words));
    }
    await panel.getByRole("button", { name: "Enable" }).click();
    await seen(panel.getByText("failing", { exact: true })); // until an attempt succeeds
    await changeRow(
      "last_status_code = 200, degraded_since = null, consecutive_failures = 0, last_delivery_at = now()",
    );
    await seen(panel.getByText("active", { exact: true }));
    await gone(panel.locator(".notice"));
    expect(await read()).toMatchObject({ state: "active", disabledReason: null });
    await open("/portal/");
    await seen(page.getByRole("link", { name: "Approvals that wait" }));
    expect(await attention.count()).toBe(0);
    await changeRow("unreadable_since = now(), last_failure = 'secret', last_status_code = null");
    await open("/portal/");
    await seen(attention.getByText("The signing secret of the audit stream is lost. Rotate it."));
    await open("/portal/audit");
    await seen(panel.getByText("The service cannot open the signing secret since"));
    await clickAction(page, "Rotate secret…");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
    await giveUp(page.getByRole("dialog", { name: "The signing secret" }));
    await gone(panel.getByText("The service cannot open the signing secret since"));
    await who.ask("DELETE", "/audit/stream");
    await seen(panel.getByText("The log is not sent anywhere."));
  }));

test("the overview reads the stream only of an organisation that has one, so nothing is refused", async () => {
  const { who, member } = here.data;
  const hasStream =
    "fetch('/api/v1/portal-session').then((answer) => answer.json()).then((session) => session.hasAuditStream)";
  await here.portal(async ({ page, open }) => {
    const refused: string[] = [];
    const read: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(response.url());
      read.push(new URL(response.url()).pathname);
    });
    await open("/portal/");
    await seen(page.getByRole("link", { name: "Approvals that wait" }));
    expect(read).not.toContain("/api/v1/audit/stream");
    await who.ask("POST", "/audit/stream", { url });
    await open("/portal/");
    await eventually(async () => read.includes("/api/v1/audit/stream"));
    expect(await page.evaluate(hasStream)).toBe(true);
    expect(refused).toEqual([]);
  });
  await here.portal(async ({ page }) => expect(await page.evaluate(hasStream)).toBe(false), {
    session: { personId: member },
  });
  await who.ask("DELETE", "/audit/stream");
});

test("a member, whose scope is not admin, has no page with the panel, and the API refuses the stream", () =>
  here.portal(
    async ({ page, open }) => {
      await open("/portal/audit");
      await seen(page.getByRole("heading", { name: "No such page" }));
      expect(await page.getByText("Audit stream").count()).toBe(0);
      expect(await page.evaluate("fetch('/api/v1/audit/stream').then(({ status }) => status)")).toBe(403);
    },
    { session: { personId: here.data.member } },
  ));
