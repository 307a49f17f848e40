/** The reference page in a real browser: it shows the whole contract, and its forms call the same server. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/contract/operations.ts";
import { pythonSources } from "../client/python-driver.ts";
import { browserOfFile, desktop, openContext, phone } from "../support/browser.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { testWith } from "../support/machine.ts";

type Violations = { violations: { id: string; nodes: { html: string }[] }[] };
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const run = promisify(execFile);
const here = apiOfFile();
const chromium = browserOfFile();

/** The page and its problems: errors of the browser, including its security policy, and requests to other origins. */
async function open(options: Parameters<typeof chromium.browser.newContext>[0] = {}): Promise<[Page, string[]]> {
  const page = await (await openContext(chromium.browser, options)).newPage();
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => request.url().startsWith(here.api.url) || faults.push(request.url()));
  await page.goto(`${here.api.url}/docs`);
  return [page, faults];
}

/** As the page of this server shows them. @param operation all if it is left out */
function samplesOf(operation?: string) {
  const { paths } = openApiDocument("http://127.0.0.1:0"); // the base URL of an API whose port the system chooses
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => operation === undefined || operationId === operation)
    .flatMap(({ "x-codeSamples": samples = [] }) => samples);
}

const formOf = (page: Page, operation: string) => page.locator(`#${operation} form`);

async function send(page: Page, operation: string): Promise<string> {
  await formOf(page, operation).getByRole("button", { name: "Send" }).click();
  const output = formOf(page, operation).locator("output");
  await seen(output.locator("strong"));
  await seen(formOf(page, operation).getByRole("button", { name: "Send", disabled: false })); // the whole response has arrived
  return output.innerText();
}

/** Opens the body as JSON, and writes it. */
async function writeBody(page: Page, operation: string, json: string): Promise<void> {
  await formOf(page, operation).getByText("The body as JSON").click();
  await formOf(page, operation)
    .getByLabel(/^Body$/)
    .fill(json);
}

async function bodyOf(page: Page, operation: string): Promise<unknown> {
  return JSON.parse(await formOf(page, operation).locator('textarea[name="body"]').inputValue());
}

async function withKey(page: Page, { key }: Member): Promise<void> {
  await page.getByLabel(/^Your key/).fill(key.text);
}

chromium.test("the page describes every operation and loads nothing from other origins", async () => {
  const [page, faults] = await open();
  for (const { name, summary } of operations) {
    expect(await page.locator(`article#${name} h3`).innerText()).toBe(summary);
  }
  expect(await page.locator("article form:visible").count()).toBe(operations.length + 1);
  expect(await page.locator("article#rotate_key li").allInnerTexts()).toContain(
    "conflict, key_revoked: The key is revoked.",
  );
  expect(faults).toEqual([]);
});

chromium.test("a form sends its request to the API and shows the response", async () => {
  const ada = await here.owner();
  const [page, faults] = await open();
  await withKey(page, ada);
  const made = await send(page, "create_bot");
  expect(made).toContain("201 Created");
  expect(made).toMatch(/x-request-id: \S+/);
  const bots = await here.db.sql<{ id: string; name: string }>(
    "select id, name from app.bots where organisation_id = $1",
    [ada.organisation.id],
  );
  expect(bots.map(({ name }) => name)).toEqual(["Harbour guide"]);

  await formOf(page, "get_bot")
    .getByLabel(/^id/)
    .fill(bots[0]?.id ?? "");
  expect(await send(page, "get_bot")).toContain('"name": "Harbour guide"');
  await formOf(page, "list_bots")
    .getByLabel(/^limit/)
    .fill("1");
  expect(await send(page, "list_bots")).toContain('"nextCursor": null');
  await formOf(page, "delete_bot")
    .getByLabel(/^id/)
    .fill(bots[0]?.id ?? "");
  expect(await send(page, "delete_bot")).toContain('"deleted": true');
  expect(faults).toEqual([]);
});

chromium.test("the form of watch_run shows events as they arrive", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: started } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  const [page, faults] = await open();
  await withKey(page, ada);
  await formOf(page, "watch_run").getByLabel(/^id/).fill(started.id);
  const shown = send(page, "watch_run");
  await seen(formOf(page, "watch_run").getByText("event: state"));
  await ada.post(`/runs/${started.id}/cancel`);
  expect(await shown).toMatch(/event: state\n[\s\S]+event: end\n/);
  expect(faults).toEqual([]);
});

chromium.test("a form shows a refusal like any response, and the tab keeps the key over a reload", async () => {
  const ada = await here.owner();
  const [page] = await open();
  expect(await send(page, "get_me")).toContain("unauthenticated");
  await withKey(page, ada);
  expect(await send(page, "get_me")).toContain("200 OK");
  await page.reload();
  expect(await send(page, "get_me")).toContain("200 OK");
  expect(await page.evaluate("localStorage.length + document.cookie.length")).toBe(0);
  const other = await page.context().newPage();
  await other.goto(`${here.api.url}/docs`);
  expect(await send(other, "get_me")).toContain("unauthenticated");
  await page.getByLabel(/^Your key/).fill("");
  await page.getByLabel(/^Your key/).blur();
  await page.reload();
  expect(await page.evaluate("sessionStorage.length")).toBe(0);
});

chromium.test("with a key, forms and samples have ids of the caller's rows, except forms that delete", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: started } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  const [page, faults] = await open();
  await withKey(page, ada);
  await page.getByLabel(/^Your key/).blur();
  await seen(page.getByText(/^The examples have \d+ ids of your rows\.$/));
  expect(await formOf(page, "get_bot").getByLabel(/^id/).inputValue()).toBe(bot.id);
  expect(await formOf(page, "get_run").getByLabel(/^id/).inputValue()).toBe(started.id);
  expect(await formOf(page, "delete_bot").getByLabel(/^id/).inputValue()).toBe("");
  expect(
    await formOf(page, "start_run")
      .getByLabel(/^botId/)
      .inputValue(),
  ).toBe(bot.id);
  expect(await send(page, "get_run")).toContain("200 OK");
  for (const sample of await page.locator("#cancel_run .sample pre").allTextContents())
    expect(sample).toContain(started.id);
  expect(faults).toEqual([]);
});

chromium.test("the caller's own key is an example only of operations that change nothing", async () => {
  const ada = await here.owner();
  const [page, faults] = await open();
  await withKey(page, ada);
  await page.getByLabel(/^Your key/).blur();
  await seen(page.getByText(/^The examples have \d+ ids of your rows\.$/));
  const shown = async (operation: string) => [
    await formOf(page, operation).getByLabel(/^id/).inputValue(),
    ...(await page.locator(`#${operation} .sample pre`).allTextContents()),
  ];
  for (const text of await shown("get_key")) expect(text).toContain(ada.key.id);
  for (const operation of ["update_key", "revoke_key", "rotate_key"])
    for (const text of await shown(operation)) expect(text).not.toContain(ada.key.id);
  const { body: other } = await ada.post("/keys", { name: "CI" });
  await page.reload();
  await seen(page.getByText(/^The examples have \d+ ids of your rows\.$/));
  for (const text of await shown("update_key")) expect(text).toContain(other.id);
  expect(faults).toEqual([]);
});

chromium.test("samples and forms are copied as they are shown, without the key", async () => {
  const ada = await here.owner();
  const [page, faults] = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  const copied = () => page.evaluate("navigator.clipboard.readText()") as Promise<string>;
  await withKey(page, ada);
  await page.locator("#create_bot").getByText("Samples").click();
  await page.locator("#create_bot").getByRole("button", { name: "Copy: TypeScript" }).click();
  expect(await copied()).toBe(samplesOf("create_bot").find(({ lang }) => lang === "TypeScript")?.source);
  await writeBody(page, "create_bot", '{"name":"It\'s Ada"}');
  await formOf(page, "create_bot").getByRole("button", { name: "Copy as curl" }).click();
  const line = await copied();
  expect(line).not.toContain(ada.key.text);
  const env = { PATH: process.env.PATH, BOTSTEAD_KEY: ada.key.text };
  const { stdout } = await run("bash", ["-c", line], { env, timeout: longestWaitMs }); // not execFileSync: the API is in this process
  expect(JSON.parse(stdout)).toMatchObject({ name: "It's Ada" });
  // Over plain HTTP to another machine, a browser has no clipboard.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await formOf(page, "create_bot").getByRole("button", { name: "Copy as curl" }).click();
  expect(await page.evaluate("getSelection().toString()")).toBe(line);
  expect(faults).toEqual([]);
});

chromium.test("search finds operations and events by words of their title, path and fields", async () => {
  const [page, faults] = await open();
  const links = () => page.locator("#results li:visible").allInnerTexts();
  await page.keyboard.press("/");
  await page.keyboard.type("cancel run");
  expect(await links()).toContain("Cancel run");
  expect((await links()).length).toBeLessThan(operations.length / 2);
  await page.keyboard.press("Enter"); // not the first that only mentions the words
  await page.waitForURL(/#cancel_run$/);
  expect((await links())[0]).toBe("Cancel run");
  for (const [words, first] of [
    ["list runs", "List runs"],
    ["webhook endpoint", "List webhook endpoints"],
    ["create key", "Create key"],
  ]) {
    await page.locator("#find").fill(words ?? "");
    expect([words, (await links())[0]?.toLowerCase()]).toEqual([words, first?.toLowerCase()]);
  }
  await page.locator("#find").fill("lawfulBasis");
  expect(await links()).toContain("Create memory");
  await page.locator("#find").fill("/webhooks/{id}/recover");
  expect(await page.getByRole("status").first().innerText()).toBe("1 result");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#recover_webhook$/);
  await page.locator("#find").fill("expire soon");
  expect(await links()).toEqual(["key.expiring"]);
  await page.keyboard.press("Enter");
  await page.waitForURL(/#event-key\.expiring$/);
  for (const [words, operation] of [
    ["cron", "create_routine"],
    ["ask", "start_run"],
    ["whoami", "get_me"],
  ]) {
    await page.locator("#find").fill(words ?? "");
    expect([words, await page.locator(`#results a[href="#${operation}"]`).count()]).toEqual([words, 1]);
  }
  await page.locator("#find").fill("zebrafish");
  expect([await links(), await page.getByRole("status").first().innerText()]).toEqual([[], "0 results"]);
  await page.keyboard.press("Escape");
  expect([await page.locator("#find").inputValue(), await page.locator("nav .group[hidden]").count()]).toEqual(["", 0]);
  expect(faults).toEqual([]);
});

chromium.test("an enumeration is a choice, in parameters and in fields of a body", async () => {
  const ada = await here.owner();
  const [page, faults] = await open();
  await withKey(page, ada);
  const memory = formOf(page, "create_memory");
  await memory.getByLabel(/^scope/).selectOption("bot");
  expect(await bodyOf(page, "create_memory")).toMatchObject({ scope: "bot" });
  await writeBody(
    page,
    "create_memory",
    '{"scope":"organisation","kind":"fact","subject":"Harbour","value":"Two cranes"}',
  );
  expect(await memory.getByLabel(/^scope/).inputValue()).toBe('"organisation"');
  expect(await send(page, "create_memory")).toContain("201 Created");
  const list = formOf(page, "list_memories");
  expect(
    await list
      .getByLabel(/^scope/)
      .locator("option")
      .allTextContents(),
  ).toEqual(["any", "organisation", "bot", "member"]);
  await list.getByLabel(/^scope/).selectOption("bot");
  expect(await send(page, "list_memories")).toContain('"data": []');
  await list.getByLabel(/^scope/).selectOption("organisation");
  expect(await send(page, "list_memories")).toContain("Two cranes");
  expect(
    await formOf(page, "list_events")
      .getByLabel(/^order/)
      .locator("option")
      .first()
      .textContent(),
  ).toBe("asc, the default");
  const typed = await page
    .locator("form.try input")
    .evaluateAll((inputs) =>
      inputs.map((input) => (input as unknown as { labels: { textContent: string }[] }).labels[0]?.textContent ?? ""),
    );
  expect(typed.filter((label) => / \| |boolean/.test(label))).toEqual([]);
  expect(faults).toEqual([]);
});

chromium.test("strings, numbers, lists and objects of a body have fields, and the JSON follows them", async () => {
  const ada = await here.owner();
  const [page, faults] = await open();
  await ada.post("/bots", { name: "Ada" });
  await withKey(page, ada);
  await page.getByLabel(/^Your key/).blur();
  await seen(page.getByText(/^The examples have \d+ ids of your rows\.$/));
  await writeBody(page, "create_key", "{}");
  const key = formOf(page, "create_key");
  await key.getByLabel(/^name/).fill("Office");
  await key.getByLabel(/^expiresInDays/).fill("7");
  await key.getByLabel("allowedIps 1").fill("127.0.0.0/8");
  await key.getByLabel("allowedIps 2").pressSequentially("::1");
  expect(await bodyOf(page, "create_key")).toEqual({
    ...{ name: "Office", expiresInDays: 7, allowedIps: ["127.0.0.0/8", "::1"] },
  });
  await key.getByLabel("allowedIps 1").fill("");
  expect(await bodyOf(page, "create_key")).toEqual({ name: "Office", expiresInDays: 7, allowedIps: ["::1"] });
  await key.getByLabel("allowedIps 2").fill("");
  expect(await bodyOf(page, "create_key")).toEqual({ name: "Office", expiresInDays: 7 });
  expect(await send(page, "create_key")).toContain("201 Created");

  const webhook = formOf(page, "create_webhook");
  await webhook.getByLabel("approval.needed", { exact: true }).check();
  await webhook.getByLabel("run.finished", { exact: true }).uncheck();
  await webhook.getByLabel("blocked", { exact: true }).check();
  expect(await bodyOf(page, "create_webhook")).toMatchObject({ events: ["approval.needed"], runStates: ["blocked"] });

  const organisation = formOf(page, "create_organisation");
  await organisation.getByLabel(/^email/).fill("grace@example.com");
  expect(await bodyOf(page, "create_organisation")).toMatchObject({ owner: { email: "grace@example.com" } });
  await writeBody(page, "create_organisation", '{"name":"A","owner":{"email":"ada@example.com"}}');
  expect(await organisation.getByLabel(/^email/).inputValue()).toBe("ada@example.com");
  expect(
    await formOf(page, "batch")
      .getByLabel(/^Body$/)
      .isVisible(),
  ).toBe(true); // operations have no input
  expect(faults).toEqual([]);
});

test("every field of a body has an input, except lists of objects and the metadata of a run", async () => {
  const page = await (await fetch(`${here.api.url}/docs`)).text();
  const open = [...page.matchAll(/<article id="(\w+)"[\s\S]*?<\/article>/g)].filter(([article]) =>
    article.includes("<details open><summary>The body as JSON"),
  );
  expect(open.map(([, name]) => name)).toEqual(["import_memories", "start_run", "batch"]);
});

chromium.test(
  "on a phone the navigation is folded above the page, opens, and folds when a link is followed",
  async () => {
    const [page] = await open(phone);
    const link = page.locator("nav .group a").first();
    expect(await link.isVisible()).toBe(false);
    expect(
      await page.locator("nav").evaluate((nav) => (nav as unknown as { offsetHeight: number }).offsetHeight),
    ).toBeLessThan(80);
    await page.locator("nav summary").first().click();
    await page.getByLabel(/^Find/).fill("cancel run");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#cancel_run$/);
    expect(await page.getByLabel(/^Find/).isVisible()).toBe(false);
    const [heading, nav] = await Promise.all([
      page.locator("#cancel_run h3").boundingBox(),
      page.locator("nav").boundingBox(),
    ]);
    expect(heading?.y).toBeGreaterThan((nav?.y ?? 0) + (nav?.height ?? 0)); // the bar does not cover the title
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.getByLabel(/^Find/).isVisible()).toBe(true);
  },
);

chromium.test("axe reports no violation in light, in dark and on a phone", async () => {
  // Two operations stand for all, which have the same parts: with all of them axe takes half a minute.
  const shorten =
    "for (const each of document.querySelectorAll('article:not(#create_bot, #create_webhook)')) each.remove();" +
    "for (const each of document.querySelectorAll('nav li a')) if (!document.querySelector(each.hash)) each.parentElement.remove();" +
    "for (const each of document.querySelectorAll('details')) each.open = true";
  for (const options of [
    { ...desktop, colorScheme: "light" as const },
    { ...desktop, colorScheme: "dark" as const },
    { ...phone, colorScheme: "dark" as const },
  ]) {
    const [page] = await open({ ...options, bypassCSP: true });
    await page.evaluate(shorten);
    await page.evaluate(axe);
    const { violations } = (await page.evaluate("axe.run()")) as Violations;
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    await page.context().close();
  }
});

chromium.test("the page fits a phone, and a form works by keyboard", async () => {
  const ada = await here.owner();
  const [page] = await open({ viewport: { width: 360, height: 740 } });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  await withKey(page, ada);
  await formOf(page, "create_memory").getByText("The body as JSON").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await seen(formOf(page, "create_memory").locator("strong", { hasText: "201" }));
});

/** Each sample calls one method of the Python client, with arguments that it takes. */
const callsFit = `
import ast, inspect, json, sys
from botstead import Botstead
for sample in json.loads(sys.argv[1]):
    [call] = [
        node for node in ast.walk(ast.parse(sample))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "client"
    ]
    inspect.signature(getattr(Botstead, call.func.attr)).bind(None, *call.args)
`;

import { seen } from "../support/page-change.ts";
import { longestWaitMs } from "../support/worker.ts";

testWith(
  "curl",
  "python3",
  "python3-httpx",
)("all samples in shell parse, and those in Python fit the client", async () => {
  const inLanguage = (language: string) =>
    samplesOf().flatMap(({ lang, source }) => (lang === language ? [source] : []));
  const [shell, python] = [inLanguage("Shell"), inLanguage("Python")];
  expect([shell.length, python.length]).toEqual([operations.length, operations.length]);
  await run("bash", ["-n", "-c", shell.join("\n")]);
  await run("/usr/bin/python3", ["-c", callsFit, JSON.stringify(python)], {
    env: { PYTHONPATH: pythonSources(), PYTHONDONTWRITEBYTECODE: "1" },
  });
});

chromium.test("without JavaScript the page shows all text and no form", async () => {
  const [page] = await open({ javaScriptEnabled: false });
  expect(await page.locator("article h3").count()).toBeGreaterThan(operations.length);
  expect(await page.locator("form:visible").count()).toBe(0);
});

test("the page's policy allows only its own origin and no frames", async () => {
  const { headers } = await fetch(`${here.api.url}/docs`);
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'",
  );
});
