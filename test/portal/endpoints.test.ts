/** Pages of endpoints, deliveries, events and keys in Chromium, with a real worker and HTTPS receiver. */
import { laptop } from "../support/console-page.ts";
import { clickAction } from "../support/menu.ts";
import { giveUp } from "../support/one-time.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { status } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { worker: true });
const { test } = here.chromium;
const read = async (path: string) => (await here.data.who.ask("GET", path, undefined, "mayFail")).body;
const lastId = (url: string) => new URL(url).pathname.split("/").at(-1);

test("an endpoint is created with a test that arrives, edited, paused, activated, rotated and deleted", () =>
  here.portal(async ({ page, open }) => {
    const hook = here.office.hook();
    await open("/portal/endpoints");
    await page.getByRole("button", { name: "Create an endpoint…" }).click();
    const create = page.getByRole("dialog", { name: "Create an endpoint" });
    await create.getByLabel("Address").fill("https://user@example.com/");
    await create.getByRole("button", { name: "Create and test" }).click();
    await seen(create.getByRole("alert"));
    await create.getByLabel("Address").fill(hook.url);
    await create.getByLabel("Description").fill("Quay");
    const group = create.getByRole("group", { name: "Memories" });
    expect(await group.locator("code").allInnerTexts()).toEqual(["memory.created", "memory.deleted", "memory.updated"]);
    await create.getByLabel("A run is blocked").check();
    await create.getByRole("button", { name: "Create and test" }).click();
    const secret = page.getByRole("dialog", { name: "The signing secret" });
    expect(await secret.innerText()).toMatch(/whsec_[\w+/]{43}=/);
    await seen(secret.getByText(/The test has arrived: status 200, [\d.,]+ m?s\./));
    await giveUp(secret);
    await seen(page.getByRole("heading", { name: "Quay" }));
    const path = `/webhooks/${lastId(page.url())}`;
    expect(await read(path)).toMatchObject({ events: ["run.blocked", "run.finished"], description: "Quay" });
    await eventually(async () => hook.posts().length === 1);
    // The log refreshes without an action.
    await seen(page.getByRole("row", { name: /webhook\.test delivered/ }));
    await page.getByRole("button", { name: "Edit…" }).click();
    const edit = page.getByRole("dialog", { name: "Edit the endpoint" });
    expect(await edit.getByLabel("Address").inputValue()).toBe(hook.url);
    await edit
      .getByLabel("Only runs with state")
      .or(edit.getByLabel("failed", { exact: true }))
      .first()
      .check();
    await edit.getByLabel("Send the events of one run in order").check();
    await edit.getByRole("button", { name: "Save" }).click();
    await gone(edit);
    expect(await read(path)).toMatchObject({ runStates: ["failed"], orderPerRun: true });
    await clickAction(page, "Pause");
    await seen(page.getByText("The endpoint is paused. Deliveries wait."));
    expect(await read(path)).toMatchObject({ state: "paused" });
    expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0); // it would be refused
    await page.getByRole("button", { name: "Resume" }).click();
    hook.answer = status(503);
    await page.getByRole("button", { name: "Send a test" }).click();
    await seen(page.getByText(/The test has failed: status 503, [\d.,]+ m?s\./));
    await clickAction(page, "Rotate secret…");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
    await giveUp(secret);
    await clickAction(page, "Delete endpoint…");
    await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint", exact: true }).click();
    await page.waitForURL("**/portal/endpoints");
    expect(await read(path)).toMatchObject({ error: { code: "not_found" } });
  }));

test("a failed delivery shows its attempts and payload, and is sent again; recovery sends failed ones of a period", () =>
  here.portal(async ({ page, open }) => {
    const hook = here.office.hook(status(503));
    const { who } = here.data;
    /** The attempts left would take hours. */
    const aFailedTest = async () => {
      const { id } = (await who.ask("POST", `/webhooks/${endpoint}/test`)).body;
      await eventually(async () => (await read(`/deliveries/${id}`)).attemptLog.length === 1);
      await here.office.db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where id = $1", [
        id,
      ]);
      return id;
    };
    const endpoint = (await who.ask("POST", "/webhooks", { url: hook.url, events: ["run.finished"] })).body.id;
    const delivery = await aFailedTest();
    hook.answer = status(200);
    await open(`/portal/endpoints/deliveries/${delivery}`);
    await seen(page.getByRole("row", { name: /status 503/ }));
    await seen(page.getByText('"event": "webhook.test"'));
    await page.getByRole("button", { name: "Send again" }).click();
    await eventually(async () => (await read(`/deliveries/${delivery}`)).state === "delivered");

    hook.answer = status(503);
    const second = await aFailedTest();
    hook.answer = status(200);
    await open(`/portal/endpoints/${endpoint}`);
    await clickAction(page, "Recover…");
    const recover = page.getByRole("dialog", { name: "Recover deliveries" });
    const minute = new Date(Date.now() - 600_000 - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    await recover.getByLabel("From").fill(minute);
    await recover.getByRole("button", { name: "Recover", exact: true }).click();
    await gone(recover);
    await eventually(async () => (await read(`/deliveries/${second}`)).state === "delivered");
    hook.answer = status(503);
    const chosen = [await aFailedTest(), await aFailedTest()];
    hook.answer = status(200);
    await seen(page.getByRole("button", { name: "Send chosen deliveries again", disabled: true }));
    await page.getByLabel("Choose all loaded deliveries that failed").check();
    await page.getByRole("button", { name: "Send chosen deliveries again: 2" }).click();
    for (const id of chosen) await eventually(async () => (await read(`/deliveries/${id}`)).state === "delivered");
    await gone(page.getByLabel("Choose all loaded deliveries that failed"));
    const row = page.locator("tbody tr", { hasText: /webhook\.test\s*delivered/ }).first();
    await row.locator("summary").click();
    await seen(row.locator("ol").getByText("status 503")); // its first attempt
    await seen(row.locator("ol").getByText("status 200"));
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("combobox", { name: "State" }).selectOption("failed");
    await seen(page.getByText("No delivery matches."));
    await page.getByRole("combobox", { name: "State" }).selectOption("");
    await seen(row);
    await page.getByLabel("Time").selectOption("From … to …");
    await page.getByLabel("To", { exact: true }).fill(minute);
    await seen(page.getByText("No delivery matches."));
    await page.waitForURL(/until=/);
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("From", { exact: true }).fill(minute);
    await seen(row);
  }));

test("a failing endpoint does not look active, in its list and on the overview", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/endpoints");
    const row = page.getByRole("row", { name: /crane\.harbour\.example/ });
    expect(await row.innerText()).toContain("failing");
    expect(await row.locator(".badge").getAttribute("class")).toBe("badge bad");
    await open("/portal/");
    await page.getByRole("link", { name: /The endpoint Crane has failed/ }).click();
    await seen(page.getByRole("heading", { name: "Crane" }));
  }));

test("the first failed attempt shows at once in the list, the page, the navigation and on the overview", () =>
  here.portal(async ({ page, open, go }) => {
    const hook = here.office.hook(status(503));
    const { who } = here.data;
    const body = { url: hook.url, description: "Mole", events: ["run.finished"] };
    const { id } = (await who.ask("POST", "/webhooks", body)).body;
    await open("/portal/endpoints");
    const link = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Endpoints" });
    const count = Number(await link.getAttribute("data-count"));
    const row = page.getByRole("row", { name: /Mole/ });
    await seen(row.getByText("active"));
    await who.ask("POST", `/webhooks/${id}/test`);
    await seen(row.getByText("failing"));
    await eventually(async () => (await link.getAttribute("data-count")) === String(count + 1));
    await go(`/portal/endpoints/${id}`);
    await seen(page.getByText("The endpoint has failed since"));
    await seen(page.getByText("Failed attempts are repeated."));
    await go("/portal/");
    await seen(
      page.getByRole("link", { name: /^The endpoint Mole has failed since [A-Z][a-z]+ \d+, \d+:\d+\s[AP]M\.$/ }),
    );
    hook.answer = status(200);
    await who.ask("POST", `/webhooks/${id}/test`);
    await gone(
      page.getByRole("link", { name: /^The endpoint Mole has failed since [A-Z][a-z]+ \d+, \d+:\d+\s[AP]M\.$/ }),
    );
  }));

test("a lost secret of an endpoint or a hook says so to its owners, with the action that mends it", () =>
  here.portal(async ({ page, open }) => {
    const { db } = here.office;
    const { who, hook } = here.data;
    const body = { url: "https://pier.harbour.example/", description: "Pier", events: ["run.finished"] };
    const { id } = (await who.ask("POST", "/webhooks", body)).body;
    await db.sql("update app.webhook_endpoints set unreadable_since = now() where id = $1", [id]);
    await db.sql("update app.hooks set unreadable_since = now() where id = $1", [hook]);
    await open("/portal/");
    await page.getByRole("link", { name: "The signing secret of the endpoint Pier is lost. Rotate it." }).click();
    await seen(page.getByText("The service cannot open the signing secret since"));
    await seen(page.getByText("secret lost", { exact: true }));
    await clickAction(page, "Rotate secret…");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
    await giveUp(page.getByRole("dialog", { name: "The signing secret" }));
    await gone(page.getByText("The service cannot open the signing secret since"));
    await open("/portal/");
    await page.getByRole("link", { name: /^The signing secret of the hook .* is lost\. Rotate it\.$/ }).click();
    await seen(page.getByText("Posts are refused. Rotate the secret"));
    await open("/portal/hooks");
    await seen(page.getByRole("row").getByText("secret lost"));
    await db.sql("update app.hooks set unreadable_since = null where id = $1", [hook]);
  }));

test("a key is created and shown once, restricted, rotated and revoked", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/keys");
    await page.getByRole("button", { name: "Create a key…" }).click();
    const create = page.getByRole("dialog", { name: "Create a key" });
    await create.getByLabel("Name").fill("Crane driver");
    await create.getByLabel("Scope").selectOption("write");
    await create.getByLabel("Allowed addresses").fill("192.0.2.0/24\n198.51.100.7");
    await create.getByRole("button", { name: "Create", exact: true }).click();
    const shown = page.getByRole("dialog", { name: "Your new key" });
    expect(await shown.innerText()).toMatch(/bsk_\w{49}/);
    await giveUp(shown);
    await seen(page.getByRole("heading", { name: "Crane driver" }));
    const path = `/keys/${lastId(page.url())}`;
    expect(await read(path)).toMatchObject({ scope: "write", allowedIps: ["192.0.2.0/24", "198.51.100.7/32"] });
    await page.getByRole("button", { name: "Edit…" }).click();
    const edit = page.getByRole("dialog", { name: "Edit the key" });
    await edit.getByLabel("Allowed addresses").fill("");
    await edit.getByLabel("Requests per minute").fill("60");
    await edit.getByRole("button", { name: "Save" }).click();
    await gone(edit);
    expect(await read(path)).toMatchObject({ allowedIps: null, ratePerMinute: 60 });
    await page.getByRole("button", { name: "Rotate…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
    await giveUp(shown);
    await page.getByRole("button", { name: "Revoke key…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke key", exact: true }).click();
    await seen(page.getByText("revoked", { exact: true }));
    expect(await read(path)).toMatchObject({ usable: false });
    expect(await page.getByRole("button", { name: "Rotate…" }).count()).toBe(0);
  }));

test("a key's page charts its requests per day, and shows times in the reader's zone and locale, in UTC on hover", () => {
  const options = { ...laptop, timezoneId: "Asia/Kolkata", locale: "de-DE" };
  return here.portal(
    async ({ page, open }) => {
      await open(`/portal/keys/${here.data.key}`);
      const { createdAt } = await read(`/keys/${here.data.key}`);
      const created = page.locator(`time[datetime="${createdAt}"]`).first();
      const format = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
      expect(await created.innerText()).toBe(
        new Intl.DateTimeFormat("de-DE", { ...format, timeZone: "Asia/Kolkata" }).format(new Date(createdAt)),
      );
      expect(await created.getAttribute("title")).toBe(createdAt.replace("T", " ").replace("Z", " UTC"));
      const chart = page.getByRole("table", { name: "Requests per day, UTC" });
      expect(await chart.locator("tbody tr").count()).toBe(7);
      await seen(page.locator(".chart canvas"));
    },
    { options },
  );
});

test("a member sees neither endpoints, events, keys nor the audit log, and their addresses show no page", () =>
  here.portal(
    async ({ page, open }) => {
      const shown = await page.getByRole("navigation", { name: "Sections" }).getByRole("link").allInnerTexts();
      expect(shown).toEqual(["Overview", "Runs", "Approvals", "Bots", "Memories", "Routines", "Hooks", "Members"]);
      for (const path of ["endpoints", "events", "keys", "audit"]) {
        await open(`/portal/${path}`);
        await seen(page.getByRole("heading", { name: "No such page" }));
      }
    },
    { session: { personId: here.data.member } },
  ));

test("the head of an endpoint's page has two actions and a menu, which arrow keys walk and Escape closes", () =>
  here.portal(async ({ page, open }) => {
    await open(`/portal/endpoints/${here.data.endpoint}`);
    const shown = page.locator(".heading button").filter({ visible: true });
    expect(await shown.allInnerTexts()).toEqual(["Send a test", "Edit…", "More"]);
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await page.getByRole("button", { name: "More" }).focus();
    for (const name of ["Pause", "Recover…", "Rotate secret…", "Delete endpoint…", "Pause"]) {
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toBe(name);
    }
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("Delete endpoint…");
    await page.keyboard.press("Escape");
    expect([await focused(), await shown.count()]).toEqual(["More", 3]);
  }));
