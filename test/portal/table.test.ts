/** Parts that pages share, in Chromium: a table's sort, filter, columns and exports; and samples of code that a page shows. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { phone } from "../support/console-page.ts";
import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { worker: true });
const { test } = here.chromium;

async function exported(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  return readFileSync(await (await download).path(), "utf8");
}

test("a table sorts by a head, filters by a text, hides a column, and exports the rows that it shows", () =>
  here.portal(async ({ page, open }) => {
    const formula = '=HYPERLINK("x.example"), a bot';
    for (const name of [formula, "Ash", "Elm", "Fir", "Oak"]) await here.data.who.ask("POST", "/bots", { name });
    await open("/portal/bots");
    const table = page.getByRole("table", { name: "Bots" });
    const names = () => table.locator("tbody td:first-child a").allInnerTexts();
    const head = table.getByRole("columnheader", { name: "Name" });
    await head.getByRole("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    const ascending = await names();
    expect(ascending).toHaveLength(10);
    expect(ascending).toEqual(ascending.toSorted(new Intl.Collator("en").compare));
    await head.getByRole("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    expect(await names()).toEqual(ascending.toReversed());

    const csv = (await exported(page, "Export CSV")).trimEnd().split("\r\n");
    expect(csv).toHaveLength(11);
    expect(csv[0]).toMatch(/^Name,/);
    // Spreadsheets run a text that begins with =.
    expect(csv.find((line) => line.includes("HYPERLINK"))).toMatch(/^"'=HYPERLINK\(""x\.example""\), a bot",/);

    await page.getByRole("searchbox", { name: "Filter: Bots" }).fill("NIGHT");
    expect(await names()).toEqual(["Night watch"]);
    await seen(page.getByText("1 of 10 rows"));
    expect(JSON.parse(await exported(page, "Export JSON"))).toEqual([expect.objectContaining({ name: "Night watch" })]);

    const model = table.getByRole("columnheader", { name: "Model" });
    expect(await model.count()).toBe(1);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Model" }).uncheck();
    expect(await model.count()).toBe(0);
  }));

test("the samples on an endpoint's page, as they are shown, verify a delivery and refuse a changed one", () =>
  here.portal(async ({ page, open }) => {
    const hook = here.office.hook();
    const { body: endpoint } = await here.data.who.ask("POST", "/webhooks", {
      url: hook.url,
      events: ["run.finished"],
    });
    await here.data.who.ask("POST", `/webhooks/${endpoint.id}/test`);
    await eventually(async () => hook.posts().length === 1);
    const [post] = hook.posts();
    if (!post) throw new Error("No delivery arrived.");
    await open(`/portal/endpoints/${endpoint.id}`);
    const sample = (language: string) =>
      page.locator("details.sample").filter({ hasText: language }).locator("pre").textContent();

    const typescript = await sample("TypeScript");
    const verified = (rawBody: string) => {
      const given = JSON.stringify({ signingSecret: endpoint.secret, rawBody, headers: post.headers });
      const program = `const { signingSecret, rawBody, headers } = ${given};\n${typescript}\nconsole.log(event.event);`;
      return execFileSync(process.execPath, ["--input-type=module"], {
        input: program,
        encoding: "utf8",
        stdio: "pipe",
      });
    };
    expect(verified(post.body)).toBe("webhook.test\n");
    expect(() => verified(`${post.body} `)).toThrow("No matching signature found");

    const shell = await sample("Shell");
    const cwd = mkdtempSync(join(tmpdir(), "botstead-sample-"));
    const given = { TIMESTAMP: post.headers["x-botstead-timestamp"], SIGNATURE: post.headers["x-botstead-signature"] };
    const env = { ...process.env, SECRET: endpoint.secret, ...given } as NodeJS.ProcessEnv;
    const checked = (rawBody: string) => {
      writeFileSync(join(cwd, "body.json"), rawBody);
      return execFileSync("bash", ["-c", `${shell}\nexit 0`], { cwd, env, encoding: "utf8" });
    };
    expect(checked(post.body)).toBe("verified\n");
    expect(checked(`${post.body} `)).toBe("");
    rmSync(cwd, { recursive: true });
  }));

test("a row of a list has two lines on a phone, and its other columns can be shown", () =>
  here.portal(
    async ({ page, open }) => {
      for (const path of ["runs", "approvals", "endpoints", "events", "bots", "keys", "routines", "hooks", "audit"]) {
        await open(`/portal/${path}`);
        const cells = page.locator("tbody tr").first().locator("td").filter({ visible: true });
        const tops = await cells.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
        expect([path, new Set(tops).size]).toEqual([path, 2]);
      }
      await open("/portal/runs");
      const row = page.locator("tbody tr").first();
      expect(await row.innerText()).not.toContain("API");
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("checkbox", { name: "Started by" }).check();
      expect(await row.innerText()).toContain("API");
    },
    { options: phone },
  ));
